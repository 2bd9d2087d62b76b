"""/docs: every file that the page names is served, and nothing is loaded from anywhere else."""

import re

import pytest

from service.api import docs, guards
from tests.api.client import House

POLICY = dict(part.split(" ", 1) for part in docs.POLICY.split("; "))


def test_the_page_names_files_of_ours_alone(house: House) -> None:
    answer = house.anyone.get("/docs")
    page = answer.get_data(as_text=True)
    assert answer.mimetype == "text/html"
    named = re.findall(r'(?:src|href)="([^"]*)"', page)
    assert {f"/docs/{name}" for name in docs.FILES} | {"/openapi.yaml"} == set(named)
    assert not re.search(r"<script(?![^>]* src=)|<style|\son\w+=|\sstyle=", page)
    for path in named:
        assert house.anyone.get(path).status_code == 200


@pytest.mark.parametrize("name", docs.FILES)
def test_a_file_has_its_type_and_is_kept(house: House, name: str) -> None:
    plain = house.anyone.get(f"/docs/{name}")
    assert plain.mimetype == docs.FILES[name]
    assert plain.headers["Cache-Control"].startswith("public, max-age=")
    assert guards.SECURITY.items() <= dict(plain.headers).items()
    again = house.anyone.get(f"/docs/{name}", headers={"If-None-Match": plain.headers["ETag"]})
    assert (again.status_code, again.get_data()) == (304, b"")
    packed = house.anyone.http.get(f"/docs/{name}", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["ETag"] == plain.headers["ETag"]
    if docs.FILES[name].startswith("text/"):
        assert packed.headers["Content-Encoding"] == "gzip"


def test_the_policy_lets_nothing_in_from_elsewhere(house: House) -> None:
    answer = house.anyone.get("/docs")
    assert answer.headers["Content-Security-Policy"] == docs.POLICY
    assert POLICY["default-src"] == "'none'"
    assert POLICY["script-src"] == POLICY["style-src"] == POLICY["connect-src"] == "'self'"
    for name in ("X-Frame-Options", "X-Content-Type-Options", "Referrer-Policy"):
        assert answer.headers[name] == guards.SECURITY[name]


def test_the_styles_load_nothing_from_elsewhere(house: House) -> None:
    for name in docs.FILES:
        if name.endswith(".css"):
            text = house.anyone.get(f"/docs/{name}").get_data(as_text=True)
            assert "@import" not in text
            assert all(url.startswith("data:") for url in re.findall(r'url\(["\']?([^)]*)', text))


@pytest.mark.parametrize(
    "name", ["index.html", "swagger-ui.js", "..", "../docs.py", "%2e%2e/page.css", "LICENSE"]
)
def test_no_other_file_is_served(house: House, name: str) -> None:
    house.anyone.refused(404, "not_found", "GET", f"/docs/{name}")
