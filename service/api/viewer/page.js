// Shows the contract of this very server. A token that is typed in stays in this page's memory.
SwaggerUIBundle({
  url: "/openapi.yaml",
  dom_id: "#contract",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,  // the usual one is on the internet, and would be told the address
  syntaxHighlight: {theme: "idea"},
});
