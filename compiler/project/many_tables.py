"""What makes compiling a thousand tables fast in this process: Python rarely looks for garbage, and a copy of the
process does every other table and sends its results back.

The copy begins with everything that was read already (`fork`), so only results are sent. Where the system has no
fork, or this process may use one processor only, and for few tables, the work is done one by one. When the copy
fails, for whatever reason, its part is done here: an error is reported as if there had never been a copy. Runs in the
process of the command.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import pickle
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from shardwright.compiler.plan.each import one_by_one

_NEW_OBJECTS = 100_000


def not_collected_at_exit() -> None:
    """For a process that ends with its work: Python would look through everything once more before it gives all of it
    back (a fifth of the time that the shop's compile takes)."""
    atexit.register(gc.freeze)


@contextmanager
def rarely_collected() -> Iterator[None]:
    """For work that makes millions of objects and keeps most of them: every object is looked at once, when it is new,
    and not again with everything that is kept. A syntax tree is a cycle (nodes know their parents), so never looking at
    all would keep every tree in memory."""
    usual = gc.get_threshold()
    gc.set_threshold(_NEW_OBJECTS, 10_000, 10_000)
    try:
        yield
    finally:
        gc.freeze()
        gc.unfreeze()  # all objects are old now: the next look, which comes soon, is not at all of them
        gc.set_threshold(*usual)


T = TypeVar("T")
R = TypeVar("R")

_ENOUGH = 100
"""Fewer tables are done before a copy would have paid: a copy costs about 50 ms, a table 10 ms to 20 ms."""


def in_two_processes(work: Callable[[T], R], items: Sequence[T]) -> list[R]:
    if len(items) < _ENOUGH or _processors() < 2:
        return one_by_one(work, items)
    reading, writing = os.pipe()
    copy = os.fork()
    if copy == 0:
        os.close(reading)
        _send(writing, work, items[1::2])
    os.close(writing)
    with open(reading, "rb") as results, _end_afterwards(copy):
        own = one_by_one(work, items[::2])
        other = _unpickle(results.read())
    if other is None:
        other = one_by_one(work, items[1::2])
    made: list[Any] = [None] * len(items)
    made[::2], made[1::2] = own, other
    return made


def _processors() -> int:
    """Those this process may use; 1 where copies of processes are not to be made."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") and hasattr(os, "fork") else 1


def _send(writing: int, work: Callable[[T], R], items: Sequence[T]) -> None:
    """The copy's whole life. It ends without what a process does at its end: that is for the first one to do."""
    with contextlib.suppress(BaseException), open(writing, "wb") as results:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        results.write(pickle.dumps(one_by_one(work, items), pickle.HIGHEST_PROTOCOL))
    os._exit(0)


def _unpickle(results: bytes) -> Any:
    """None when the copy did not come to its end."""
    try:
        return pickle.loads(results)
    except (EOFError, pickle.UnpicklingError):
        return None


@contextlib.contextmanager
def _end_afterwards(copy: int) -> Any:
    """The copy is gone afterwards, be it that this process was interrupted."""
    try:
        yield
    except BaseException:
        os.kill(copy, signal.SIGTERM)
        raise
    finally:
        os.waitpid(copy, 0)
