"""The places of a spec that an error was told about. What depends on one is left out of later checks, so that one run says
all that can be said and nothing that merely follows from something else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from shardwright.specs.findings.diagnostics import Path


@dataclass(frozen=True, slots=True)
class Faults:
    """Paths of values that are not what their author meant: malformed, missing, unknown, or at odds with another."""

    paths: frozenset[Path] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.paths)

    def touch(self, *path: str | int) -> bool:
        """Whether one lies at the place, around it or within it."""
        return any(fault[: len(path)] == path[: len(fault)] for fault in self.paths)

    def within(self, *path: str | int) -> frozenset[str | int]:
        """The keys of the mapping at `path` that have one; those around it are not looked at."""
        return frozenset(
            fault[len(path)] for fault in self.paths if len(fault) > len(path) and fault[: len(path)] == path
        )

    def around(self, *path: str | int) -> bool:
        """Whether one lies at the place or around it."""
        return any(fault == path[: len(fault)] for fault in self.paths)

    def and_at(self, paths: Iterable[Path]) -> Faults:
        return Faults(self.paths | frozenset(paths))


NO_FAULTS = Faults()
