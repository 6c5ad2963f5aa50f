"""The page of one row as Chromium shows it: nothing is cut off, no barrier for readers, and a dot leads to its entry."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from shardwright.runtime.history.html_page import as_html
from shardwright.runtime.history.verdict import judge
from tests.support.browser import PROGRAM, WITHOUT, start_browser
from tests.unit.history.test_html_page import APPLIED, LONG

pytestmark = pytest.mark.skipif(PROGRAM is None, reason=WITHOUT)

MANY = tuple(replace(APPLIED, committed_at=f"2026-11-30 12:00:{second:02}") for second in range(60))


@pytest.mark.parametrize(("width", "dark"), [(360, True), (1_000, False)])
def test_a_long_history_fits(tmp_path: Path, *, width: int, dark: bool) -> None:
    facts = replace(LONG, changes=MANY)
    (tmp_path / "row.html").write_text(as_html(facts, judge(facts), environment="prod"), "utf-8")
    with start_browser(tmp_path) as browser:
        browser.show(width=width, dark=dark)
        browser.open((tmp_path / "row.html").as_uri())
        assert browser.ask(
            "new Promise(ready => setTimeout(() => ready(document.querySelectorAll('.dot').length), 500))"
        )
        assert browser.ask("document.documentElement.scrollWidth") <= width
        assert browser.find_barriers() == [] and browser.problems == []
        browser.ask("document.querySelector('.dot').click()")
        assert browser.ask("document.querySelector('li:target').id") == "entry-1"
