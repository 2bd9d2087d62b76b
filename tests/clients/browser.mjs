// Opens /docs in a real browser, tries a call there, and looks at what the page loaded.
//
//     node browser.mjs BROWSER BASE_URL SCREENSHOT
//
// Fails if anything was asked of another server, anything broke the page's own policy, or the
// contract is not shown whole.

import assert from "node:assert/strict";
import {chromium} from "playwright-core";

const [executablePath, base, screenshot] = process.argv.slice(2);
const browser = await chromium.launch({executablePath, args: ["--no-sandbox", "--disable-gpu"]});
try {
  const page = await browser.newPage({viewport: {width: 1200, height: 1600}});
  const asked = [], complaints = [];
  page.on("request", request => asked.push(request.url()));
  page.on("console", said => said.type() === "error" && complaints.push(said.text()));
  page.on("pageerror", error => complaints.push(String(error)));

  await page.goto(`${base}/docs`);
  await page.locator(".opblock").first().waitFor();
  const calls = await page.locator(".opblock").count();

  const entering = page.locator("#operations-players-createPlayer");
  await entering.locator(".opblock-control-arrow").click();
  await entering.locator("button.execute").click();
  const status = entering.locator(".live-responses-table .response-col_status").first();
  await status.waitFor();
  const guest = JSON.parse(await entering.locator(".live-responses-table code").first().innerText());

  // With the token of the answer a call that wants one works too.
  await page.locator("button.authorize").first().click();
  await page.locator(".auth-container input").first().fill(guest.token);
  await page.locator(".auth-container button.authorize").click();
  await page.locator(".auth-container .btn-done").click();
  const me = page.locator("#operations-players-getMe");
  await me.locator(".opblock-control-arrow").click();
  await me.locator("button.execute").click();
  const answer = me.locator(".live-responses-table code").first();
  await answer.waitFor();
  assert.equal(JSON.parse(await answer.innerText()).id, guest.id);

  await page.screenshot({path: screenshot});
  const elsewhere = asked.filter(url => !url.startsWith(base + "/") && !url.startsWith("data:"));
  assert.deepEqual(elsewhere, [], "the page asked other servers");
  assert.deepEqual(complaints, [], "the browser complained");
  console.log(`${calls} calls shown, two tried, ${asked.length} requests, none to elsewhere`);
} finally {
  await browser.close();
}
