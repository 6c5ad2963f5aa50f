"""What a contender used: the clock, processors and memory."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.bench.stream.processes import processor_seconds, resident_mib

_EVERY = 0.5
_MEMORY_EVERY = 8
"""Every how many looks memory is looked at: the kernel walks all pages for it, and takes that time from whoever is
measured."""


@dataclass
class Used:
    """`clock`: seconds of moving rows; `whole`: with start-up. `processor` seconds and `peak_mib` by who used them."""

    clock: float = 0.0
    whole: float = 0.0
    first_row: float | None = None
    processor: dict[str, float] = field(default_factory=dict)
    starting: dict[str, float] = field(default_factory=dict)
    """Those of `processor` before rows moved, where somebody has looked."""
    peak_mib: dict[str, float] = field(default_factory=dict)

    def seconds_of_move(self, party: str) -> float:
        """Processor seconds while rows moved: starting takes as long for any number of rows."""
        return self.processor[party] - self.starting.get(party, 0.0)


@contextmanager
def measure(parties: Mapping[str, Callable[[], Sequence[int]]]) -> Iterator[Used]:
    """`parties`: name -> its processes now. Whoever ends within is counted up to the last look."""
    used, done = Used(), threading.Event()
    before = {name: processor_seconds(pids()) for name, pids in parties.items()}

    def look(*, at_memory: bool = True) -> None:
        for name, pids in parties.items():
            found = pids()
            spent = processor_seconds(found) - before[name]
            used.processor[name] = max(used.processor.get(name, 0.0), spent)
            if at_memory:
                used.peak_mib[name] = max(used.peak_mib.get(name, 0.0), resident_mib(found))

    def watch() -> None:
        for number in itertools.count(1):
            if done.wait(_EVERY):
                return
            look(at_memory=number % _MEMORY_EVERY == 0)

    watcher = threading.Thread(target=watch, daemon=True)
    began = time.monotonic()
    watcher.start()
    try:
        yield used
    finally:
        used.whole = time.monotonic() - began
        used.clock = used.clock or used.whole
        done.set()
        watcher.join()
        look()
