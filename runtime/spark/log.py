"""What has Spark said into its log, which is in scratch? It knows why an executor is gone, and tells nobody else.

Runs in the driver; reads that log.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from shardwright.runtime.events.event import Emit
from shardwright.runtime.events.run import ExecutorLost
from shardwright.runtime.spark.scratch import scratch_folder

LOG: Final = "spark.log"
_END: Final = 64 * 1024
_LOOK_EVERY: Final = 2.0
_LOST: Final = re.compile(r"Lost executor (?P<number>\S+) on (?P<place>\S+): (?P<why>[^\n]*)")


def end_of_log() -> str:
    return _from(-_END)[0]


def losses(text: str) -> Iterator[ExecutorLost]:
    """Each executor that the text says is lost."""
    for found in _LOST.finditer(text):
        yield ExecutorLost(found["number"], found["place"], found["why"].strip())


@dataclass
class LossWatch:
    """Reports each executor that is lost, from `begin` to `end`."""

    emit: Emit
    _place: int = field(init=False, default=0)
    _ended: threading.Event = field(init=False, default_factory=threading.Event)

    def begin(self) -> None:
        self._place = _from(0)[1]
        threading.Thread(target=self._watch, name="executors", daemon=True).start()

    def end(self) -> None:
        self._ended.set()

    def look(self) -> None:
        text, self._place = _from(self._place)
        for lost in losses(text):
            self.emit(lost)

    def _watch(self) -> None:
        while not self._ended.wait(_LOOK_EVERY):
            self.look()


def _from(place: int) -> tuple[str, int]:
    """The whole lines behind `place`, and where they end. A negative place counts from the end."""
    try:
        with (scratch_folder() / LOG).open("rb") as file:
            size = file.seek(0, 2)
            start = file.seek(max(0, size + place) if place < 0 else min(place, size))
            found = file.read()
    except OSError:
        return "", max(0, place)
    whole = found.rpartition(b"\n")[0] + b"\n" if b"\n" in found else b""
    return whole.decode("utf-8", "replace"), start + len(whole)
