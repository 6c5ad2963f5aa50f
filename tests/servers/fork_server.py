"""One process of each test worker that forks a process for each command: Python's imports are paid once, and Java is
borrowed from those that earlier commands have left. Each command is a process of its own, in a session of its own: it
is killed and signalled as `shardwright` is.

Asked by `tests.servers.forks` on a Unix socket, with one JSON message a command and the files for its output; answers
with its number, then with its exit code, once nothing of it lives. A command asks on the same socket for a Java, and
that Java for the process that Spark forks its Python workers from (`tests.servers.forked_workers`).
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import os
import runpy
import selectors
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.servers.borrowed_java import Java, JavaPool, borrow_java, import_what_commands_import
from tests.servers.forked_workers import write_interpreter
from tests.support.job import find_descendants

_LONGEST = 1 << 20
_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None, use_errno=True)


@dataclass
class _Command:
    asked_by: socket.socket
    java: Java | None = None


@dataclass
class _Daemon:
    """What Spark forks its Python workers from."""

    asked_by: socket.socket
    java: int
    """The process that asked."""


@dataclass
class ForkServer:
    path: str
    java: JavaPool
    selector: selectors.DefaultSelector = field(default_factory=selectors.DefaultSelector)
    commands: dict[int, _Command] = field(default_factory=dict)
    """By the number of the process."""
    daemons: dict[int, _Daemon] = field(default_factory=dict)
    """By the number of the process."""
    child: Callable[[], int] | None = None
    """What this process does when it is one of those that were forked."""

    def serve(self) -> None:
        """Returns when the worker's process is gone, and in each process that was forked."""
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listener.bind(self.path)
        listener.listen(64)
        self.selector.register(listener, selectors.EVENT_READ, lambda: self._answer(listener.accept()[0]))
        self.selector.register(0, selectors.EVENT_READ, None)
        while True:
            for key, _ in self.selector.select():
                if key.data is None:
                    return
                key.data()
                if self.child is not None:
                    return

    def _answer(self, connection: socket.socket) -> None:
        message, files, _flags, _address = socket.recv_fds(connection, _LONGEST, 3)
        asked = json.loads(message)
        if "daemon" in asked:
            self._fork_daemon(connection, asked, files)
            return
        if "end_workers" in asked:
            _kill(_find_workers(self._find_daemons(asked["end_workers"])))
            _give_answer(connection, {})
            return
        if "java" in asked:
            command = self.commands[asked["process"]]
            command.java = command.java or self.java.lend(asked["java"])
            connection.send(json.dumps({"answer": str(command.java.answer)}).encode())
            connection.close()
            return
        process = self._fork(lambda: _become(asked, files, self.path))
        if not process:
            return
        for file in files:
            os.close(file)
        self.commands[process] = _Command(connection)
        self._when_ended(process, lambda code: self._clean_up(process, code))
        connection.send(json.dumps({"process": process}).encode())

    def _fork_daemon(self, connection: socket.socket, asked: Mapping[str, Any], files: list[int]) -> None:
        process = self._fork(lambda: _become_daemon(asked, files))
        if not process:
            return
        for file in files:
            os.close(file)
        self.daemons[process] = _Daemon(connection, asked["java"])

        def report(code: int) -> None:
            del self.daemons[process]
            _give_answer(connection, {"code": code})

        self._when_ended(process, report)

    def _kill_with_workers(self, java: int) -> None:
        """All but Java itself, as if it had died."""
        daemons = self._find_daemons([java])
        _kill([*find_descendants(java), *_find_workers(daemons), *daemons])

    def _find_daemons(self, javas: Collection[int]) -> list[int]:
        return [process for process, daemon in self.daemons.items() if daemon.java in javas]

    def _fork(self, work: Callable[[], int]) -> int:
        """The number of the new process; 0 in it."""
        assert threading.active_count() == 1
        process = os.fork()
        if not process:
            _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            self.selector.close()
            self.java.forget()
            for command in self.commands.values():
                command.asked_by.close()
            for daemon in self.daemons.values():
                daemon.asked_by.close()
            self.child = work
        return process

    def _when_ended(self, process: int, then: Callable[[int], None]) -> None:
        handle = os.pidfd_open(process)

        def reap() -> None:
            self.selector.unregister(handle)
            os.close(handle)
            then(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))

        self.selector.register(handle, selectors.EVENT_READ, reap)

    def _clean_up(self, process: int, code: int) -> None:
        """A command that has ended leaves a Java with a context; Java and Python's workers would end with it."""
        command = self.commands[process]
        java = command.java

        def report() -> None:
            del self.commands[process]
            _give_answer(command.asked_by, {"code": code})

        if java is None:
            report()
            return
        self._kill_with_workers(java.pid)

        def give_back(cleaned: int) -> None:
            self.java.take_back(java, usable=cleaned == 0)
            report()

        if (cleaner := self._fork(java.stop_context)) != 0:
            self._when_ended(cleaner, give_back)


def _find_workers(daemons: Iterable[int]) -> list[int]:
    return [worker for daemon in daemons for worker in find_descendants(daemon)]


def _kill(processes: Iterable[int]) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def _give_answer(asked_by: socket.socket, answer: Mapping[str, object]) -> None:
    """The last one."""
    with contextlib.suppress(OSError):  # it has been killed, or the test has forgotten it
        asked_by.send(json.dumps(answer).encode())
    asked_by.close()


def _take_place(asked: Mapping[str, Any], files: list[int]) -> None:
    """This process has the variables, the folder and the three files of the one that asked."""
    os.environ.clear()
    os.environ.update(asked["environ"])
    time.tzset()
    tempfile.tempdir = None
    os.chdir(asked["cwd"])
    for number, file in enumerate(files):
        os.dup2(file, number)
    for file in files:
        os.close(file)
    sys.stdin, sys.stdout, sys.stderr = (
        open(0, closefd=False),  # noqa: SIM115
        *(open(number, "w", closefd=False, encoding="utf-8") for number in (1, 2)),  # noqa: SIM115
    )


def _become_daemon(asked: Mapping[str, Any], files: list[int]) -> int:
    """What Spark forks its Python workers from."""
    _take_place(asked, files)
    module, *arguments = asked["daemon"]
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
    return 0


def _become(asked: Mapping[str, Any], files: list[int], server: str) -> int:
    """The command, in its process. Returns its exit code."""
    os.setsid()
    started_with = dict(os.environ)
    _take_place(asked, [os.open(os.devnull, os.O_RDONLY), *files])
    sys.argv = ["shardwright", *asked["arguments"]]
    own = {name: value for name, value in os.environ.items() if started_with.get(name) != value}
    borrow_java(server, own)
    from shardwright.runtime.cli.program import main

    return main()


def main() -> int:
    import_what_commands_import()
    gc.freeze()
    write_interpreter(sys.argv[1])
    server = ForkServer(sys.argv[1], JavaPool())
    server.serve()
    if server.child is not None:
        return server.child()
    server.java.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
