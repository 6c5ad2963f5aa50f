"""The page of `advise` in a browser: on a phone and on a screen, light and dark, and without barriers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from shardwright.compiler.advise.advice import advise
from shardwright.compiler.advise.source import SchemaText, make_source
from shardwright.compiler.advise.spec_text import Target
from shardwright.compiler.workload.read import read_workload
from shardwright.runtime.rehearsal.advice.html_page import as_html
from tests.support.browser import PROGRAM, WITHOUT, Browser, start_browser
from tests.unit.advise.conftest import SCHEMA, STATEMENTS, sizes


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if PROGRAM is None:
        pytest.skip(WITHOUT)
    with start_browser(tmp_path_factory.mktemp("browser")) as started:
        yield started


@pytest.mark.parametrize(("width", "dark"), [(360, False), (1200, True)])
def test_the_page_fits_and_has_no_barrier(browser: Browser, tmp_path: Path, width: int, dark: bool) -> None:
    text = SchemaText("shop", "mariadb", "schema/shop.sql", SCHEMA)
    source = make_source(text, statistics=sizes(), statements=read_workload(STATEMENTS, "app.sql"))
    advice = advise(source, Target.with_numbers("shop", 4))
    (tmp_path / "advice.html").write_text(as_html(advice, advice.designs[0]), encoding="utf-8")
    browser.open((tmp_path / "advice.html").as_uri())
    browser.show(width=width, dark=dark)
    assert browser.find_barriers() == []
    assert browser.ask("document.documentElement.scrollWidth") == width
    assert browser.ask("document.querySelectorAll('.ranking .bar').length") == len(advice.designs)
