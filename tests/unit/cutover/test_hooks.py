"""Hooks: what they get, what their answer is, and that none of them holds us up for longer than its timeout."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from shardwright.runtime.cutover.fences.fence import FenceContext
from shardwright.runtime.cutover.fences.open import open_fence
from shardwright.runtime.cutover.hooks import call_hook
from shardwright.runtime.failures import Refused, StoppedPartWay
from shardwright.runtime.mysql.check import Verdict
from shardwright.specs.environment.cutover import FenceSetting, HookSetting
from tests.support.waiting import wait_until

PAYLOAD = {"migration": "orders-split", "generation": 3, "side": "source", "action": "set"}


def script(folder: Path, text: str) -> HookSetting:
    file = folder / "hook.sh"
    file.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    file.chmod(0o700)
    return HookSetting((str(file), "with spaces; and $(words)"), timeout_seconds=10.0)


def test_a_program_gets_the_payload_and_its_arguments_as_they_are(tmp_path: Path) -> None:
    answer = call_hook(script(tmp_path, 'echo "$1"; cat'), PAYLOAD)
    said, _, got = answer.partition("\n")
    assert said == "with spaces; and $(words)"
    assert json.loads(got) == PAYLOAD


def test_a_program_that_reads_nothing_and_leaves_a_child_behind_holds_no_one_up(tmp_path: Path) -> None:
    began = time.monotonic()
    assert (
        call_hook(script(tmp_path, "sleep 30 & echo $!; exit 0"), {**PAYLOAD, "long": "x" * 200_000}).strip().isdigit()
    )
    assert time.monotonic() - began < 5.0


def test_a_hook_that_fails_and_is_fixed(tmp_path: Path) -> None:
    failing = script(tmp_path, f"echo x >> {tmp_path}/calls; echo first >&2; echo 'flag service says no' >&2; exit 3")
    with pytest.raises(StoppedPartWay) as caught:
        call_hook(failing, PAYLOAD)
    assert caught.value.code == "SW8906"
    assert caught.value.message == f"hook {failing.command[0]} ended with exit code 3: flag service says no"
    assert (tmp_path / "calls").read_text() == "x\n" * 3
    # What passes by itself needs nobody.
    passing = script(tmp_path, f"echo x >> {tmp_path}/calls; test $(wc -l < {tmp_path}/calls) -ge 5 && echo done")
    assert call_hook(passing, PAYLOAD) == "done\n"


def test_a_program_that_hangs_is_killed_with_its_children(tmp_path: Path) -> None:
    hanging = script(tmp_path, f"echo waiting >&2; sleep 600 & echo $! > {tmp_path}/child; wait")
    began = time.monotonic()
    with pytest.raises(StoppedPartWay, match=r"SW8906.*did not end within 0\.5 s and was stopped: waiting"):
        call_hook(HookSetting(hanging.command, timeout_seconds=0.5), PAYLOAD)
    assert time.monotonic() - began < 3.0
    child = int((tmp_path / "child").read_text())
    wait_until("its child has ended", lambda: not lives(child), seconds=10)


def test_attempts_end_with_the_timeout(tmp_path: Path) -> None:
    slow = script(tmp_path, "sleep 0.7; exit 1")
    began = time.monotonic()
    with pytest.raises(StoppedPartWay, match="SW8906"):
        call_hook(HookSetting(slow.command, timeout_seconds=1.2), PAYLOAD)
    assert time.monotonic() - began < 2.5


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    for setting in (HookSetting((str(tmp_path / "nothing.sh"),)), HookSetting((str(tmp_path),))):
        with pytest.raises(StoppedPartWay, match=r"SW8906.*cannot be started"):
            call_hook(setting, PAYLOAD)


# -- addresses -------------------------------------------------------------------------------------------------------


@contextmanager
def serve(answer: Callable[[BaseHTTPRequestHandler, dict[str, Any]], None]) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            answer(self, json.loads(body))

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/orders?to=shards"
    finally:
        server.shutdown()
        server.server_close()


def reply(handler: BaseHTTPRequestHandler, status: int, text: str, **headers: str) -> None:
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(text)))
    handler.end_headers()
    handler.wfile.write(text.encode())


def test_an_address_gets_the_payload_and_is_tried_again() -> None:
    calls: list[dict[str, Any]] = []

    def answer(handler: BaseHTTPRequestHandler, payload: dict[str, Any]) -> None:
        calls.append(payload)
        reply(handler, 503 if len(calls) < 3 else 200, handler.path)

    with serve(answer) as url:
        assert call_hook(HookSetting(url=url), PAYLOAD) == "/orders?to=shards"
    assert calls == [PAYLOAD] * 3


def test_an_address_that_refuses_or_leads_elsewhere_is_a_failure() -> None:
    with serve(lambda handler, _: reply(handler, 409, "first\nno such flag")) as url:
        with pytest.raises(StoppedPartWay) as caught:
            call_hook(HookSetting(url=url, timeout_seconds=5.0), PAYLOAD)
        host = url.rpartition("/")[0]
        assert caught.value.message == f"hook {host} answered with status 409: no such flag"
    elsewhere = serve(lambda handler, _: reply(handler, 302, "", Location="http://127.0.0.1:1/"))
    with elsewhere as url, pytest.raises(StoppedPartWay, match="status 302"):
        call_hook(HookSetting(url=url, timeout_seconds=5.0), PAYLOAD)


def test_an_address_that_answers_letter_by_letter_is_given_up() -> None:
    def answer(handler: BaseHTTPRequestHandler, _: dict[str, Any]) -> None:
        handler.send_response(200)
        handler.end_headers()
        for _ in range(30):
            handler.wfile.write(b"x")
            handler.wfile.flush()
            time.sleep(0.1)

    with serve(answer) as url:
        began = time.monotonic()
        with pytest.raises(StoppedPartWay, match=r"did not end within 0\.5 s"):
            call_hook(HookSetting(url=url, timeout_seconds=0.5), PAYLOAD)
        assert time.monotonic() - began < 2.0


def test_an_address_where_no_one_answers() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/secret-path"
        with pytest.raises(StoppedPartWay, match=r"SW8906.*cannot be reached") as caught:
            call_hook(HookSetting(url=url, timeout_seconds=2.0), PAYLOAD)
    assert "secret-path" not in caught.value.message


# -- the fence -------------------------------------------------------------------------------------------------------

FLAG = """
read -r payload
case "$payload" in
  *'"action": "set"'*) echo "$payload" > {0}/flag;;
  *'"action": "lift"'*) rm -f {0}/flag;;
  *) test -e {0}/flag && echo set || echo lifted;;
esac
"""
CONTEXT = FenceContext("orders-split", 7, "shards")


def test_a_flag_is_a_fence(tmp_path: Path) -> None:
    setting = FenceSetting("hook", hook=script(tmp_path, FLAG.format(tmp_path)))
    fence = open_fence(setting, [], context=CONTEXT)
    assert [check.verdict for check in fence.checks()] == [Verdict.OK]
    undo = json.loads(json.dumps(fence.before()))
    assert undo == [{"server": "hook", "kind": "hook", "set": False}]
    for _ in range(2):
        fence.set(undo, drain_timeout=1.0)
        assert fence.in_force(undo) == {"hook": True}
    assert json.loads((tmp_path / "flag").read_text()) == {
        "migration": "orders-split", "generation": 7, "side": "shards", "action": "set"
    }  # fmt: skip
    again = fence.before()
    for _ in range(2):
        open_fence(setting, [], context=CONTEXT).lift(undo)
        assert fence.in_force(undo) == {"hook": False}
    fence.set(again, drain_timeout=1.0)
    fence.lift(again)
    assert fence.in_force(again) == {"hook": True}, "it was set before"


def test_a_hook_whose_answer_is_no_answer(tmp_path: Path) -> None:
    fence = open_fence(FenceSetting("hook", hook=script(tmp_path, "echo yes")), [], context=CONTEXT)
    (check,) = fence.checks()
    assert (check.verdict, check.code) == (Verdict.REFUSED, "SW8905") and "'yes'" in check.found
    undo = [{"server": "hook", "kind": "hook", "set": False}]
    with pytest.raises(Refused, match="SW8905"):
        fence.in_force(undo)


def test_a_hook_that_does_not_do_what_it_is_asked_for(tmp_path: Path) -> None:
    fence = open_fence(FenceSetting("hook", hook=script(tmp_path, "echo lifted")), [], context=CONTEXT)
    with pytest.raises(Refused, match=r"SW8905.*check says that it is not so"):
        fence.set(fence.before(), drain_timeout=1.0)


def lives(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_s11_a_program_is_the_projects_and_gets_no_password(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the command is given: another account may have put a program of that name there."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    script(elsewhere, "echo stranger")
    script(tmp_path, 'echo "ours in $PWD: $SOURCE_PASSWORD$HOOK_FLAG"')
    monkeypatch.chdir(elsewhere)
    monkeypatch.setenv("SOURCE_PASSWORD", "canary")
    monkeypatch.setenv("HOOK_FLAG", "flag")
    setting = HookSetting(("./hook.sh",), folder=str(tmp_path))
    assert call_hook(setting, PAYLOAD) == f"ours in {tmp_path}: flag\n"


def test_s11_what_a_program_says_is_bounded(tmp_path: Path) -> None:
    endless = script(tmp_path, "exec cat /dev/zero")
    with pytest.raises(StoppedPartWay, match=r"SW8906.*said more than 16 MiB and was stopped"):
        call_hook(HookSetting(endless.command, timeout_seconds=60.0), PAYLOAD)


def test_s11_no_proxy_answers_in_an_addresss_place(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        serve(lambda handler, _body: reply(handler, 200, "ours")) as ours,
        serve(lambda handler, _body: reply(handler, 200, "the proxy's")) as proxy,
    ):
        monkeypatch.setenv("http_proxy", proxy.partition("/orders")[0])
        assert call_hook(HookSetting(url=ours), PAYLOAD) == "ours"
