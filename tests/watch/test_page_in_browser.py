"""The live page as headless Chromium shows it: 1,000 tables on 256 shards, wide and narrow, light and dark, by keyboard,
and without barriers that axe finds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from shardwright.runtime.events.run import RunFailed
from tests.support.browser import PROGRAM, WITHOUT, Browser, start_browser
from tests.support.waiting import wait_until
from tests.watch.example import LARGE, SMALL

pytestmark = pytest.mark.skipif(PROGRAM is None, reason=WITHOUT)

MOST_NODES = 4_000
MOST_MILLISECONDS = 1_000
_OF_ROW = "[...document.querySelectorAll('#tables tr')].map((row) => row.textContent)"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with start_browser(tmp_path_factory.mktemp("browser")) as one:
        yield one


@pytest.mark.in_turn
def test_g8_a_thousand_tables_on_256_shards(browser: Browser) -> None:
    with LARGE.serve() as (url, step, history):
        browser.show(width=1_400)
        _open(browser, url)
        _open(browser, url)
        nodes = browser.ask("document.querySelectorAll('*').length")
        took = float(browser.ask("document.documentElement.dataset.firstDraw"))
        print(f"{nodes:,} nodes, first drawn in {took:.0f} ms")
        assert nodes < MOST_NODES and took < 10 * MOST_MILLISECONDS, "on a machine that does much else"
        assert browser.ask("document.querySelectorAll('.shards li').length") == 256
        assert browser.ask("document.querySelectorAll('.shards .away').length") == 3
        assert browser.ask("document.querySelectorAll('#map .wrong').length") >= 2
        assert browser.ask("document.querySelectorAll('#lag path, #speed path').length") == 3
        assert "order_db_000" in browser.ask("document.querySelector('#worst').textContent")
        assert "order_db_000.table_0003_3 (41)" in browser.ask("document.querySelector('#verified').textContent")
        assert browser.ask("document.querySelector('#range').textContent") == "1 to 25 of 1,000"
        assert "copying" in browser.ask("document.title")
        _require_no_markup(browser)
        step[0] = 1
        history.handle(RunFailed("SW8101", "it is new"))
        _until(browser, "the event is there", "document.querySelector('#events').textContent.includes('it is new')")
        _until(browser, "the observation is there", "state.now.batch === 71")
        assert browser.problems == []


def _require_no_markup(browser: Browser) -> None:
    """A name that is markup, and would move a terminal's cursor, is text."""
    browser.ask(
        "(() => { const one = document.querySelector('#filter'); one.value = 'onerror'; one.dispatchEvent(new Event('input')); })()"
    )
    (row,) = browser.ask(_OF_ROW)
    assert row.startswith(r"<img src=x onerror=alert(1)>\u001b[2J\u202e")
    assert browser.ask("document.querySelectorAll('img').length") == 0
    assert r"replica <img src=x onerror=alert(1)>\u001b[2J" in browser.ask(
        "document.querySelector('#events').textContent"
    )
    assert browser.ask(r"/[\u0000-\u0008\u000b-\u001f\u202e]/.test(document.body.innerText)") is False


def test_every_width_in_light_and_dark_without_barriers(browser: Browser) -> None:
    with SMALL.serve() as (url, _, _):
        _open(browser, url)
        for width in (360, 1_000, 2_560):
            browser.show(width=width)
            assert browser.ask("document.documentElement.scrollWidth") == width, "nothing runs out of the window"
            cut = "[...document.querySelectorAll('section, header')].filter((one) => one.getBoundingClientRect().right > innerWidth).length"
            assert browser.ask(cut) == 0, width
        grounds = set()
        for dark in (False, True):
            browser.show(width=1_000, dark=dark)
            grounds.add(browser.ask("getComputedStyle(document.body).backgroundColor"))
            assert browser.find_barriers() == [], "dark" if dark else "light"
        assert len(grounds) == 2 and browser.problems == []


def test_a_keyboard_is_enough(browser: Browser) -> None:
    with SMALL.serve() as (url, _, _):
        browser.show(width=1_000)
        _open(browser, url)
        names = [_press(browser, "Tab") for _ in range(11)]
        assert names[:2] == ["Skip to what is shown", "Pause updates"]
        assert names[2:5] == ["Dead letters", "rows, beside the table's fullest shard", names[4]]
        assert "table_0003 on order_db_000" in names[4], "the map is one stop"
        assert names[5:] == ["Name has", "Order", "Next", "Progress of tables", "Events of this run", "Who did what"]
        browser.ask("cells[0][0].focus()")
        assert "order_db_001" in _press(browser, "ArrowRight")
        assert "table_0003" not in _press(browser, "ArrowDown")
        assert "order_db_007" in _press(browser, "End")
        assert "order_db_007" in browser.ask("document.querySelector('#read').textContent")
        browser.ask("document.querySelector('#after').focus()")
        assert len(browser.ask(_OF_ROW)) == 25
        browser.press("Enter")
        assert (
            len(browser.ask(_OF_ROW)) == 5
            and browser.ask("document.querySelector('#range').textContent") == "26 to 30 of 30"
        )
        width = "parseFloat(getComputedStyle(document.activeElement).outlineWidth)"
        browser.press("Tab")
        assert browser.ask(width) >= 2, "the focus is seen"


def test_the_page_says_so_when_the_command_has_ended(browser: Browser) -> None:
    with ExitStack() as services:
        url, _, _ = services.enter_context(SMALL.serve())
        _open(browser, url)
        browser.ask("document.querySelector('#pause').click()")
        assert browser.ask("document.querySelector('#pause').ariaPressed") == "true"
        assert browser.ask("document.querySelector('#lost').hidden") is True
    _until(browser, "the page says so", "!document.querySelector('#lost').hidden")
    assert "has ended" in browser.ask("document.querySelector('#lost').textContent")


def test_a_token_opens_the_page_and_does_not_stay_in_its_address(browser: Browser) -> None:
    with SMALL.serve(token="0123456789abcdef") as (url, _, _):
        browser.open(url)
        _until(browser, "it is refused", "document.body.innerText.includes('A token is needed')")
        _open(browser, f"{url}?token=0123456789abcdef")
        assert browser.ask("location.href") == url and browser.ask("document.cookie") == "", (
            "no script reads the cookie"
        )
        _open(browser, url)


def _press(browser: Browser, key: str) -> str:
    """The name of what has the focus then."""
    browser.press(key)
    name = "(one) => one.ariaLabel || (one.labels && one.labels[0] ? one.labels[0].firstChild.textContent.trim() || one.labels[0].textContent.trim() : '') || (one.getAttribute('aria-labelledby') ? document.getElementById(one.getAttribute('aria-labelledby')).textContent : one.textContent)"
    return browser.ask(f"({name})(document.activeElement)")


def _open(browser: Browser, url: str) -> None:
    browser.open(url)
    _until(
        browser,
        "the whole page is there",
        "typeof cells !== 'undefined' && cells.length > 0 && state.tables !== undefined",
    )


def _until(browser: Browser, what: str, script: str) -> Any:
    return wait_until(what, lambda: browser.ask(script), seconds=60, show=lambda: browser.problems)
