"""Takes the pictures of the live page that docs/images has: `.venv/bin/python -m tests.watch.pictures`. It needs
Chromium."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from shardwright.runtime.watch.observation import CutoverObserved
from tests.support.browser import Browser, start_browser
from tests.support.waiting import wait_until
from tests.watch.example import LARGE, Example

IMAGES: Final = Path(__file__).parents[2] / "docs" / "images"
FENCED: Final = CutoverObserved("drained", 1.2, "source", 0, "shards", False, 2.3, 1.4, None)


def take_pictures() -> None:
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, start_browser(Path(folder)) as browser:
        with _page(browser, LARGE):
            browser.show(width=1_300, height=560)
            (IMAGES / "copying.png").write_bytes(browser.take_picture())
            browser.ask("document.querySelectorAll('[name=measure]')[1].click()")
            (IMAGES / "heat.png").write_bytes(browser.take_picture(of="section[aria-labelledby=h-heat]"))
        with _page(browser, Example(30, 8, FENCED, away=0)):
            browser.show(width=1_300, height=640, dark=True)
            (IMAGES / "cutover.png").write_bytes(browser.take_picture())


@contextmanager
def _page(browser: Browser, example: Example) -> Iterator[None]:
    with example.serve() as (url, _, _):
        browser.open(url)
        wait_until("the page is there", lambda: browser.ask("typeof cells !== 'undefined' && cells.length > 0"))
        yield


if __name__ == "__main__":
    take_pictures()
