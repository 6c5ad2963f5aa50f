"""A run on real servers, and its live page in a browser: the copy, a dead letter, a comparison, then the cutover."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from shardwright.runtime.rehearsal.sandbox.local import free_port
from shardwright.runtime.watch.page.delta import apply_patch
from tests.cutover.lab import CutoverLab
from tests.servers import forks
from tests.servers.testbed import Arena
from tests.support.browser import PROGRAM, WITHOUT, Browser, start_browser
from tests.support.commands import shardwright
from tests.support.job import ENVIRONMENT, kill_tree
from tests.support.waiting import PATIENCE, wait_until

pytestmark = [
    pytest.mark.server,
    pytest.mark.spark,
    pytest.mark.slow,
    pytest.mark.skipif(PROGRAM is None, reason=WITHOUT),
]


@pytest.mark.in_turn
def test_h8_the_page_of_a_run_shows_the_copy_and_then_the_cutover(arena: Arena, tmp_path: Path) -> None:
    lab = CutoverLab(arena, tmp_path, fence={"source": "triggers", "shards": "read_only"})
    lab.create_source()
    lab.fill({1: 0, 2: 1, 3: 2, 4: 3})
    lab.allow_cutovers()
    port, watched = free_port(), free_port()
    run = lab.start(gated=False, arguments=("--page", f"127.0.0.1:{port}"))
    try:
        with start_browser(tmp_path) as browser:
            lab.until(run, "the page is served", lambda: _is_served(port))
            browser.open(f"http://127.0.0.1:{port}/")
            _until(
                browser,
                "it follows",
                "document.querySelector('#word') && document.querySelector('#word').textContent.includes('following')",
            )
            rows = browser.ask("[...document.querySelectorAll('#tables tr')].map((row) => row.textContent)")
            assert len(rows) == 2 and any(row.startswith("parent 100%4") for row in rows), rows
            _until(browser, "the cells are there", "!!document.querySelector('#map [role=gridcell][aria-label]')")
            assert "on lab_0: " in browser.ask("document.querySelector('#map [aria-label]').ariaLabel")
            assert "2 of 2 answer" in browser.ask("document.querySelector('#picture').textContent")
            lab.write("UPDATE parent SET note = 'seen' WHERE id = 1")
            _until(browser, "a change is counted", "list(state.samples).some((one) => one[3] > 0)")
            lab.verify()
            _until(
                browser,
                "the comparison is there",
                "document.querySelector('#verified').textContent.includes('Equal: 24 rows')",
            )
            lab.cutover()
            _until(
                browser,
                "writes go to the shards",
                "document.querySelector('#cutover').textContent.includes('applications, on the shards')",
            )
            _until(
                browser,
                "the cutover is done",
                "document.querySelector('[aria-current=step]').textContent === 'reversing'",
            )
            _until(
                browser,
                "the run says so",
                "document.querySelector('#events').textContent.includes('continues backward')",
            )
            assert browser.problems == [] and run.poll() is None
        text = json.dumps(_state(port, lambda now: "at" in now))
        assert "reversing" in text and "seen" not in text and "n1" not in text, "no value of a row is in it"
        with _page_without_a_run(lab, watched):
            state = _state(watched, lambda now: now.get("live") is True)
            assert state["cutover"]["writes_to"] == "shards" and state["events"] == {}
            assert (state["now"]["migration"], state["now"]["direction"]) == ("lab", "backward")
        _check_refusals(lab, port)
    finally:
        kill_tree(run)


def _check_refusals(lab: CutoverLab, taken: int) -> None:
    def refuse(*arguments: str) -> str:
        return shardwright(lab.job.project, *arguments, "--env", ENVIRONMENT).require(2).err

    assert "SW8055" in refuse("page", "--listen", f"127.0.0.1:{taken}")
    assert "SW8058" in refuse("page", "--listen", "0.0.0.0:9465")
    assert "SW8058" in refuse("page", "--token-file", str(lab.scratch / "missing"))
    assert "SW8520" in shardwright(lab.job.project, "page", "--env", ENVIRONMENT, "--verify-report", "missing").err


@contextmanager
def _page_without_a_run(lab: CutoverLab, port: int) -> Iterator[None]:
    with lab.job.log.open("ab") as log:
        command = ("page", "--env", ENVIRONMENT, "--listen", f"127.0.0.1:{port}")
        process = forks.start(lab.job.project, *command, out=log, environ={"TMPDIR": str(lab.scratch)})
    try:
        lab.until(process, "the page is served", lambda: _is_served(port))
        yield
        process.terminate()
        assert process.wait(60) == 0, lab.job.end_of_log()
    finally:
        kill_tree(process)


def _is_served(port: int) -> bool:
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        connection.request("GET", "/")
        return connection.getresponse().status == 200
    except OSError:
        return False


def _state(port: int, holds: Callable[[Mapping[str, Any]], bool]) -> dict[str, Any]:
    """As a page has it once that holds of its section `now`."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/events")
    answer, state, kind = connection.getresponse(), {}, ""
    end = time.monotonic() + PATIENCE
    while not holds(state.get("now", {})):
        assert time.monotonic() < end, state
        line = answer.readline().decode("ascii")
        assert line, f"the page has ended: {state}"
        name, _, value = line.strip().partition(": ")
        if name == "event":
            kind = value
        elif name == "data":
            state = json.loads(value) if kind == "state" else apply_patch(state, json.loads(value))
    connection.close()
    return state


def _until(browser: Browser, what: str, script: str) -> None:
    wait_until(
        what,
        lambda: browser.ask(script),
        seconds=120,
        show=lambda: browser.ask("document.body && document.body.innerText"),
    )
