"""The guides in docs/: none is lost, what they link to is there, and they say what is so."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from service.api.problems import CODES
from service.rules import GAMES, seating
from tests.api.contract import SCHEMAS

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"])
ERRORS = (DOCS / "errors.md").read_text(encoding="utf-8")


def test_the_index_lists_every_guide() -> None:
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    pages = [*DOCS.glob("*.md"), *DOCS.glob("rules/*.md")]
    guides = {str(page.relative_to(DOCS)) for page in pages} - {"README.md"}
    assert guides <= set(re.findall(r"\]\(([^)#]+)\)", index))


def test_the_readme_leads_to_them() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for page in ("README", "first-game", "bots", "errors", "clients", "live", "auditing"):
        assert f"(docs/{page}.md)" in text, page


def test_every_example_is_named_where_people_read() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    shown = {file.name for file in (ROOT / "examples").iterdir() if file.is_file()}
    for name in shown - {"demo.py", "screen.py"}:  # ./run demo
        assert f"examples/{name})" in text, name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_guide_links_to_is_there(page: Path) -> None:
    prose = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        there = page.parent / path if path else page
        assert there.exists(), target
        if anchor:
            text = there.read_text(encoding="utf-8")
            heads = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
            named = {re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in heads}
            assert anchor in {*named, *re.findall(r'id="([^"]+)"', text)}, target


def test_every_code_of_the_service_stands_in_errors_with_its_status() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\d{3}) \|", ERRORS, re.MULTILINE)
    assert [code for code, _ in rows] == list(CODES)
    assert {code: int(status) for code, status in rows} == {
        code: status for code, (status, _) in CODES.items()
    }


def test_every_status_is_explained() -> None:
    by_status = ERRORS.partition("## What to do")[2].partition("## What the service")[0]
    explained = {int(one) for row in re.findall(r"^\| ([\d, ]+) \|", by_status, re.MULTILINE)
                 for one in row.split(", ")}  # fmt: skip
    assert explained == {status for status, _ in CODES.values()}


def test_every_reason_stands_in_errors_with_its_paragraph() -> None:
    told = re.findall(r"^\| `(\w+)` \| (T?[.\d]+) \| \w", ERRORS.partition("### ")[2], re.MULTILINE)
    reasons = {
        (code, rule)
        for package in (seating.__name__, *(rules.__name__ for rules in GAMES.values()))
        for code, (rule, _) in import_module(f"{package}.reasons").REASONS.items()
        if code in SCHEMAS["RuleCode"]["enum"]
    }
    assert set(told) == reasons
