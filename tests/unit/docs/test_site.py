"""`make docs` makes a site that is whole: no link and no anchor is broken, each code has its place, no page asks
another host for anything, and it reads well on a phone.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from shardwright.specs.findings.codes.registry import anchor_of, read_all_codes
from tests.support.browser import PROGRAM, WITHOUT, Browser, start_browser
from tests.support.waiting import wait_until
from tests.unit.docs.pages import ALL, ROOT

_LOADED: Final = re.compile(r'<(?:script|img|link|iframe|source)\b[^>]*?\b(?:src|href)="([^"]+)"')
_OF_THE_THEME: Final = ("landmark-unique", "scrollable-region-focusable")
"""Its buttons that copy a block are landmarks without a name, and blocks that scroll are reached by no key."""
SEEN: Final = (
    "index.html",
    "overview.html",
    "reference/errors.html",
    "explanation/families.html",
    "tutorials/first-migration.html",
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built in strict mode. With `--quiet` MkDocs would count no warning."""
    folder = tmp_path_factory.mktemp("docs") / "site"
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    environ = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(words, cwd=ROOT, env=environ, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_page_is_in_the_site(site: Path) -> None:
    wanted = {page.relative_to("docs").with_suffix(".html") for page in ALL}
    wanted = {page.with_name("index.html") if page.stem == "README" else page for page in wanted}
    assert sorted(str(page) for page in wanted if not (site / page).exists()) == []


def test_every_code_has_one_anchor(site: Path) -> None:
    [page] = {anchor_of(entry.code).partition("#")[0] for entry in read_all_codes()}
    there = Counter(re.findall(r'\bid="([^"]+)"', (site / page).read_text(encoding="utf-8")))
    anchors = [anchor_of(entry.code).partition("#")[2] for entry in read_all_codes()]
    assert len(anchors) > 300
    assert [anchor for anchor in anchors if there[anchor] != 1] == []


def test_the_navigation_is_the_index(site: Path) -> None:
    """In its order. Its words between the links make the sections."""
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    page = (site / "index.html").read_text(encoding="utf-8")
    shown = re.findall(r'<a href="([^"#]+)\.html" class="md-nav__link', page)
    named = [page.removesuffix(".md") for page in re.findall(r"\]\(([\w/-]+\.md)\)", index)]
    named = ["decisions/index" if page == "decisions/README" else page for page in named]
    assert [entry for entry in shown if entry in named] == named
    assert all(title in page for title in ("Write and review", "Generated from the code", "Written by hand"))


def test_nothing_is_loaded_from_another_host(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    loaded = {(page.name, place) for page in pages for place in _LOADED.findall(page.read_text(encoding="utf-8"))}
    assert len(loaded) > len(pages)
    assert sorted((page, place) for page, place in loaded if "//" in place) == []


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory):
    if PROGRAM is None:
        pytest.skip(WITHOUT)
    with start_browser(tmp_path_factory.mktemp("browser")) as started:
        yield started


@pytest.mark.parametrize(("width", "dark"), [(360, False), (1200, True)], ids=["phone", "dark"])
def test_pages_fit_and_have_no_barriers(site: Path, browser: Browser, width: int, dark: bool) -> None:
    found = []
    browser.show(width=width, height=900, dark=dark)
    for page in SEEN:
        _open(browser, site / page)
        if browser.ask("document.documentElement.scrollWidth") > width:
            found.append(f"{page} is wider than {width} pixels")
        if page != "reference/errors.html":  # thousands of nodes: axe takes a minute
            found += [
                f"{page}: {barrier[:300]}"
                for barrier in browser.find_barriers()
                if not barrier.startswith(_OF_THE_THEME)
            ]
        found += [f"{page}: {problem}" for problem in browser.problems]
    assert found == []


def test_the_search_works_without_a_web_server(site: Path, browser: Browser) -> None:
    _open(browser, site / "index.html")
    browser.ask("document.querySelector('[data-md-component=search-query]').focus()")
    browser.ask(
        "(() => { const field = document.querySelector('[data-md-component=search-query]');"
        " field.value = 'tombstone'; field.dispatchEvent(new KeyboardEvent('keyup', {bubbles: true}));"
        " field.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )
    wait_until("it finds", lambda: browser.ask("document.querySelectorAll('.md-search-result__item').length") > 0)


def test_pictures_are_drawn(site: Path, browser: Browser) -> None:
    _open(browser, site / "explanation" / "families.html")
    wait_until("it is drawn", lambda: browser.ask("document.querySelectorAll('div.mermaid').length") == 1)
    assert browser.ask("document.querySelector('div.mermaid').getBoundingClientRect().height") > 100
    assert browser.problems == []


def _open(browser: Browser, page: Path) -> None:
    browser.open(page.as_uri())
    there = f"document.readyState == 'complete' && location.href == {page.as_uri()!r}"
    wait_until("the page is there", lambda: browser.ask(there))
