"""In which language the current request is answered, and how an answer says so."""

from flask import Response, request

from service.api.replies import vary
from service.languages.accept import preferred


def wanted() -> str:
    """The language that the request prefers of those there are."""
    return preferred(request.headers.get("Accept-Language", ""))


def spoken(response: Response, *languages: str) -> Response:
    """Marks an answer with human text (RFC 9110, 8.5): a cache keeps one for each wish."""
    response.headers["Content-Language"] = ", ".join(dict.fromkeys(languages))
    vary(response, "Accept-Language")
    return response
