"""How often Python looks for garbage."""

from __future__ import annotations

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager

_NEW_OBJECTS = 100_000


def not_collected_at_exit() -> None:
    """For a process that ends with its work: Python would look through everything once more before it gives all of it back
    (a fifth of the time that the shop's compile takes)."""
    atexit.register(gc.freeze)


@contextmanager
def rarely_collected() -> Iterator[None]:
    """For work that makes millions of objects and keeps most of them: every object is looked at once, when it is new, and
    not again with everything that is kept. A syntax tree is a cycle (nodes know their parents), so never looking at all
    would keep every tree in memory."""
    usual = gc.get_threshold()
    gc.set_threshold(_NEW_OBJECTS, 10_000, 10_000)
    try:
        yield
    finally:
        gc.freeze()
        gc.unfreeze()  # all objects are old now: the next look, which comes soon, is not at all of them
        gc.set_threshold(*usual)
