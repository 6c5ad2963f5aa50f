"""The documentation keeps its measure: pages sorted by kind, bounded in length, listed in the index, and every relative
link leads to a file and a heading.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

import pytest

from tests.pages.test_pages import PAGES as MADE
from tests.unit.docs.pages import ALL, COUNTED, DECISIONS, DOCS, GENERATED, ROOT, words_of

MOST_WORDS: Final = 30_400
MOST_IN: Final = {"how-to": 700, "explanation": 900, "decisions": 255}
LINKED: Final = tuple(
    Path(page) for page in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "examples/shop/README.md", *map(str, ALL))
)
_BLOCK: Final = re.compile(r"^[ ]*(`{3,}|~{3,}).*?^[ ]*\1", re.MULTILINE | re.DOTALL)


def test_hand_written_words_are_bounded() -> None:
    words = {str(page): words_of(page) for page in COUNTED}
    assert sum(words.values()) <= MOST_WORDS, words


@pytest.mark.parametrize("kind", MOST_IN)
def test_no_page_is_longer_than_its_kind_allows(kind: str) -> None:
    pages = [page for page in ALL if page.parent.name == kind and page.name != "README.md"]
    assert len(pages) >= 8
    assert {str(page): words for page in pages if (words := words_of(page)) > MOST_IN[kind]} == {}


@pytest.mark.parametrize("page", [page for page in ALL if page.parent.name == "explanation"], ids=str)
def test_an_explanation_has_one_picture(page: Path) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert len(re.findall(r"^```mermaid$", text, re.MULTILINE)) == 1 or "\nfollowing --> ready" in text


def test_the_index_names_every_page_once() -> None:
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    linked = re.findall(r"\]\(([\w/.-]+\.md)\)", index)
    pages = {str(page.relative_to("docs")) for page in ALL if page not in DECISIONS and page != Path("docs/README.md")}
    assert pages - set(linked) == set()
    assert sorted(link for link in set(linked) if linked.count(link) > 1) == []


def test_decisions_are_numbered_and_listed() -> None:
    index = (DOCS / "decisions" / "README.md").read_text(encoding="utf-8")
    for number, page in enumerate(DECISIONS, start=1):
        title = re.match(rf"# {number}\. (.+)\n\n\*Status: .+\*\n", (ROOT / page).read_text(encoding="utf-8"))
        assert title, page
        assert page.name.startswith(f"{number:04d}-"), page
        assert f"[{title[1]}]({page.name})" in index, page


def test_generated_pages_have_what_makes_them() -> None:
    others = {"reference/hazards.md", "reference/security-review.md"}
    """tests/unit/hazards and tests/unit/test_security_page.py make these two."""
    assert {str(page.relative_to("docs")) for page in GENERATED} == {*MADE, *others}


@pytest.mark.parametrize("page", LINKED, ids=str)
def test_links_lead_to_files_and_headings(page: Path) -> None:
    text = _BLOCK.sub("", (ROOT / page).read_text(encoding="utf-8"))
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    assert [link for link in links if not _leads_somewhere(ROOT / page, link)] == []


def test_pages_that_the_product_names_are_there() -> None:
    files = [
        path
        for layer in ("specs", "compiler", "runtime", "tests")
        for path in (ROOT / layer).rglob("*")
        if path.suffix in {".py", ".md", ".json", ".yaml", ".txt"} and path.is_file()
    ]
    named = {(str(path.relative_to(ROOT)), name) for path in files for name in _pages_in(path)}
    assert len(named) > 20
    assert sorted((path, name) for path, name in named if not (ROOT / name).exists()) == []


def test_results_of_benchmarks_say_how_they_were_taken() -> None:
    results = sorted((ROOT / "tests" / "bench" / "results").glob("*.json"))
    assert len(results) > 10
    for path in results:
        result = json.loads(path.read_text(encoding="utf-8"))
        if path.stem != "not_adopted":
            assert result["what"] and result["command"] and result["machine"] and result["results"], path
            for module in re.findall(r"-m (tests\.[\w.]+)", result["command"]):
                assert (ROOT / f"{module.replace('.', '/')}.py").exists(), path


def test_the_page_of_results_has_the_numbers_of_the_files() -> None:
    results = (ROOT / "tests" / "bench" / "results").glob("*.json")
    measured = {number for path in results for number in _numbers(path.read_text(encoding="utf-8"))}
    rows = re.findall(
        r"^\| [^|]+ \| ([^|]+) \| ([^|]*) \| `?[^|]+ \|$", (DOCS / "performance.md").read_text("utf-8"), re.M
    )
    assert len(rows) > 10
    shown = {number for result, goal in rows[1:] for number in _numbers(f"{result} {goal}")}
    assert sorted(shown - measured) == []


def _numbers(text: str) -> set[float]:
    return {float(number.replace(",", "")) for number in re.findall(r"(?<![A-Za-z\d.,])\d[\d,]*(?:\.\d+)?", text)}


def _pages_in(path: Path) -> list[str]:
    return re.findall(r"\bdocs/[\w/-]+\.md\b", path.read_text(encoding="utf-8", errors="replace"))


def _leads_somewhere(page: Path, link: str) -> bool:
    file, _, anchor = link.partition("#")
    target = page.parent / file if file else page
    return target.exists() and (not anchor or anchor in _anchors(target.read_text(encoding="utf-8")))


def _anchors(text: str) -> set[str]:
    """As GitHub makes them of headings."""
    headings = re.findall(r"^#+ (.+)$", _BLOCK.sub("", text), re.MULTILINE)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower() for heading in headings]
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in plain}
