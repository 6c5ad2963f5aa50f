"""Processor time of processes, and stopping them for a while."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(pids: Iterable[int]) -> float:
    """What these processes and their ended children have used since they started."""
    ticks = 0
    for pid in pids:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
        except OSError:
            continue
        ticks += sum(int(value) for value in fields[11:15])
    return ticks / _TICKS


def resident_mib(pids: Iterable[int]) -> float:
    """Proportional set size, summed: pages that are shared count once."""
    total = 0
    for pid in pids:
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


def freeze(pids: Iterable[int]) -> None:
    _signal(pids, signal.SIGSTOP)


def thaw(pids: Iterable[int]) -> None:
    _signal(pids, signal.SIGCONT)


def _signal(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            continue
