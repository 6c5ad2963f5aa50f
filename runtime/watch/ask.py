"""Who is asked, and who does not answer? A server that is away makes its own part unknown, and no other.

Runs in threads of the process of the command.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from typing import ParamSpec, TypeVar

import pymysql

from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.watch.observation import Role, ServerAnswer

Given = ParamSpec("Given")
Result = TypeVar("Result")

TROUBLE = (RuntimeFailure, pymysql.err.MySQLError, OSError)
"""What a question to a server may raise."""


class AskingThreads:
    """Ask at most `at_once` servers at a time. The end of the process does not wait for them, as it would for the
    threads of a ThreadPoolExecutor: a server may be silent for minutes."""

    def __init__(self, at_once: int) -> None:
        self._free = threading.BoundedSemaphore(at_once)

    def submit(self, read: Callable[Given, Result], *given: Given.args, **named: Given.kwargs) -> Future[Result]:
        """Returns at once; what `read` returns or raises is in the future."""
        future: Future[Result] = Future()
        work = partial(self._work, future, partial(read, *given, **named))
        threading.Thread(target=work, name="observe", daemon=True).start()
        return future

    def _work(self, future: Future[Result], read: Callable[[], Result]) -> None:
        with self._free:
            try:
                future.set_result(read())
            except BaseException as error:  # noqa: BLE001 who waits for the result gets it
                future.set_exception(error)


@dataclass
class Questions:
    """Notes the answers of servers. Threads may share it."""

    _answers: list[ServerAnswer] = field(init=False, default_factory=list)

    def ask(self, server: object, role: Role, read: Callable[[], Result]) -> Result | None:
        """What `read` returns; None where it fails."""
        try:
            found = read()
        except TROUBLE as error:
            self._answers.append(_no_answer(str(server), role, error))
            return None
        self._answers.append(ServerAnswer(str(server), role, True))
        return found

    @property
    def answers(self) -> tuple[ServerAnswer, ...]:
        """One for each server and role. A server that has failed once has not answered."""
        found: dict[tuple[Role, str], ServerAnswer] = {}
        for answer in self._answers:
            if not answer.answers or (answer.role, answer.server) not in found:
                found[answer.role, answer.server] = answer
        return tuple(found[key] for key in sorted(found))


def _no_answer(server: str, role: Role, error: Exception) -> ServerAnswer:
    if isinstance(error, RuntimeFailure):
        return ServerAnswer(server, role, False, error.code, error.message)
    return ServerAnswer(server, role, False, "", " ".join(map(str, error.args)))
