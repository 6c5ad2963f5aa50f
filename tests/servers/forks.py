"""Commands in processes of their own that tests kill, signal and give failpoints: forked from one that has imported
everything (`tests.servers.fork_server`), with a Java that is warm. Tests about Java, about process trees and about the
start itself, and SHARDWRIGHT_TEST_COLD=1, start the program instead.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from tests.support.waiting import wait_until

SHARDWRIGHT: Final = str(Path(sys.executable).with_name("shardwright"))
_ALL_COLD: Final = os.environ.get("SHARDWRIGHT_TEST_COLD") in ("1", "background")
ROOT: Final = Path(__file__).resolve().parents[2]


class ForkedProcess(subprocess.Popen[bytes]):
    """A command as if this process had started it. It ends when its Java is free again and its workers are dead."""

    def __init__(self, connection: socket.socket, pid: int, arguments: Sequence[str]) -> None:
        self._connection = connection
        self._child_created = False  # another process waits for it
        self.args = list(arguments)
        self.pid = pid
        self.returncode: int | None = None  # type: ignore[assignment]
        self.stdin = self.stdout = self.stderr = None

    def poll(self) -> int | None:
        return self._code(0)

    def wait(self, timeout: float | None = None) -> int:
        code = self._code(timeout)
        if code is None:
            assert timeout is not None
            raise subprocess.TimeoutExpired(self.args, timeout)
        return code

    def send_signal(self, sig: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, sig)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def _code(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._connection], [], [], timeout)[0]:
            answer = self._connection.recv(4096)
            assert answer, "the process that forks commands has died"
            self.returncode = int(json.loads(answer)["code"])
            self._connection.close()
        return self.returncode

    def __del__(self) -> None:
        self._connection.close()


@dataclass
class _Server:
    process: subprocess.Popen[bytes] | None = None
    folder: str = ""

    def path(self) -> str:
        if self.process is None or self.process.poll() is not None:
            self.end()
            self.folder = tempfile.mkdtemp(prefix="shardwright-forks-")
            path = f"{self.folder}/socket"
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.servers.fork_server", path],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
                env={**os.environ, "TMPDIR": self.folder},
                cwd=ROOT,
            )
            wait_until("processes can be forked", lambda: os.path.exists(path), run=self.process, seconds=120)
        return f"{self.folder}/socket"

    def end(self) -> None:
        from tests.support.job import kill_tree

        if self.process is not None:
            kill_tree(self.process)
            assert self.process.stdin is not None
            self.process.stdin.close()
            self.process = None
        shutil.rmtree(self.folder, ignore_errors=True)


def server_path() -> str | None:
    """Where processes are forked. None: the program is started for all commands in the background."""
    return None if _ALL_COLD else _server.path()


cold = True
"""Whether the program is started: for a test marked `cold`, and for benchmarks, which are no tests."""
_server = _Server()
atexit.register(_server.end)


def set_cold(marked: bool) -> None:
    """Before each test."""
    global cold
    cold = marked or _ALL_COLD


def start(
    project: Path,
    *arguments: str,
    out: IO[Any],
    err: IO[Any] | None = None,
    environ: Mapping[str, str] | None = None,
    within: Sequence[str] = (),
) -> subprocess.Popen[bytes]:
    """`shardwright --project PROJECT ARGUMENTS` in a session of its own, in the project's folder. `err` is `out` unless
    it is given, `environ` adds to this process's variables. `within` is a command that starts the program."""
    command = ["--project", str(project), *arguments]
    environ = {**os.environ, **(environ or {})}
    files = [out.fileno(), (err or out).fileno()]
    if cold or within:
        return subprocess.Popen(
            [*within, SHARDWRIGHT, *command], stdin=subprocess.DEVNULL, stdout=files[0], stderr=files[1], env=environ,
            start_new_session=True, cwd=project,
        )  # fmt: skip
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    connection.connect(_server.path())
    asked = {"arguments": command, "cwd": str(project), "environ": environ}
    socket.send_fds(connection, [json.dumps(asked).encode()], files)
    pid = int(json.loads(connection.recv(4096))["process"])
    return ForkedProcess(connection, pid, [SHARDWRIGHT, *command])


def run(
    project: Path,
    *arguments: str,
    out: IO[Any],
    err: IO[Any] | None = None,
    environ: Mapping[str, str] | None = None,
    timeout: float,
) -> int:
    """A command to its end. Returns its exit code, negative for a signal. Raises subprocess.TimeoutExpired, and kills
    the command then."""
    from tests.support.job import kill_tree

    process = start(project, *arguments, out=out, err=err, environ=environ)
    try:
        return process.wait(timeout=timeout)
    finally:
        kill_tree(process)
