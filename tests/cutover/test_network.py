"""The network fails between the command and a server, or a hook, while writers wait: the command ends soon. It has
lifted the fence, or the next command does that once the network is back.

Only commands go through the proxies. The application and the run have connections of their own.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from shardwright.runtime.cli.exits import Exit
from tests.cutover.lab import CutoverLab
from tests.faults.conftest import Network
from tests.servers.proxy import Fault, Proxy
from tests.servers.testbed import Arena
from tests.support.job import kill_tree

pytestmark = [pytest.mark.server, pytest.mark.spark]

PLACES = ("source", "shard 0", "shard 1")
POINTS = ("after-fence", "before-proved", "after-stream-ends", "before-switch", "after-switch")
SOON = 150.0
"""Seconds in which a command ends: some statements wait for 30 s, and for another 10 s for each new connection. The
answer timeout of the environment is 300 s."""


class _Hook(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.server.calls.append(self.rfile.read(int(self.headers["Content-Length"])))  # type: ignore[attr-defined]
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_arguments: Any) -> None:
        return None


@pytest.fixture
def hook() -> Iterator[ThreadingHTTPServer]:
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), _Hook)
    server.calls = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def wire(hook: ThreadingHTTPServer) -> Iterator[Proxy]:
    """Between the command and the hook."""
    with closing(Proxy("127.0.0.1", hook.server_address[1])) as proxy:
        yield proxy


@pytest.fixture
def lab(arena: Arena, tmp_path: Path, wire: Proxy) -> CutoverLab:
    url = f"http://127.0.0.1:{wire.port}/switched"
    made = CutoverLab(arena, tmp_path, hooks={"switched": {"url": url, "timeout": "6s"}})
    made.begin()
    return made


@pytest.mark.long
def test_a8_the_network_fails_while_writers_wait(lab: CutoverLab, hook: Any, wire: Proxy) -> None:
    with lab.live() as run, closing(Network(lab, tls="off")) as network:  # the run has its connections already
        for place, point, fault in (
            ("shard 0", "before-proved", Fault.NONE),
            ("source", "after-fence", Fault.SILENT),
            ("shard 1", "after-stream-ends", Fault.REFUSE),
        ):
            _fails(lab, run, network[place], point, fault)
        _the_hook_is_away(lab, run, hook, wire)
        _equal_at_the_end(lab, run)


@pytest.mark.long
@pytest.mark.parametrize("fault", (Fault.NONE, Fault.REFUSE, Fault.SILENT), ids=lambda fault: fault.name)
def test_a8_the_network_fails_anywhere(lab: CutoverLab, fault: Fault) -> None:
    """NONE: connections are cut once, and new ones may be made."""
    with lab.live() as run, closing(Network(lab, tls="off")) as network:
        for place in PLACES:
            for point in POINTS:
                _fails(lab, run, network[place], point, fault)
        _equal_at_the_end(lab, run)


def _fails(lab: CutoverLab, run: Any, proxy: Proxy, point: str, fault: Fault) -> None:
    """At `point` every connection through `proxy` breaks, or falls silent, and no new one works; then it is mended."""
    lab.follow_to_end(run)
    there = lab.state().writes_to == "source"
    action, what = "begin" if there else "rollback", f"{point}, {fault.name}"
    gate = lab.scratch / "gate"
    for file in (gate, gate.with_name("gate.reached")):
        file.unlink(missing_ok=True)
    process = lab.start_cutover(action, failpoints=f"{point}=wait:{gate}")
    try:
        lab.until(run, f"{point} is reached", lambda: gate.with_name("gate.reached").exists())
        with proxy.fail(fault):
            if fault is not Fault.SILENT:
                proxy.cut()
            began = time.monotonic()
            gate.touch()
            code = process.wait(timeout=SOON)
            print(f"{what}, {action}: ended with {code} after {time.monotonic() - began:.1f} s")
    finally:
        kill_tree(process)
    said = lab.job.end_of_log(80)
    assert code in (Exit.DONE, Exit.UNREACHABLE, Exit.STOPPED_PART_WAY, Exit.REFUSED, Exit.COULD_NOT_CHECK), said
    assert "Traceback" not in said, said
    state = lab.state()
    if fault is Fault.NONE:
        assert state.state in ("following", "reversing", "switched"), f"{what}: {state}\n{said}"
    if state.state == "switched":
        assert "repeat the command" in said, said
        lab.cutover(action)
    elif not state.at_rest:
        assert "run `shardwright cutover abort`" in said, said
        lab.cutover("abort")
    lab.writes_on(run)


def _the_hook_is_away(lab: CutoverLab, run: Any, hook: Any, wire: Proxy) -> None:
    """Behind the switch: the same command calls it again."""
    for fault, said in ((Fault.REFUSE, "cannot be reached"), (Fault.SILENT, "did not end within 6 s")):
        lab.follow_to_end(run)
        action, calls = "begin" if lab.state().writes_to == "source" else "rollback", len(hook.calls)
        with wire.fail(fault):
            end = lab.expect_refusal(action, code=Exit.STOPPED_PART_WAY)
        assert "SW8906" in end and said in end, end
        lab.writes_on(run)
        lab.cutover(action)
        assert len(hook.calls) > calls
        lab.writes_on(run)


def _equal_at_the_end(lab: CutoverLab, run: Any) -> None:
    lab.follow_to_end(run)
    lab.application.stop()
    lab.follow_to_end(run)
    lab.equal()
