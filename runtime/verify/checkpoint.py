"""How far has a comparison come? A file keeps it: a comparison that was broken off continues behind the last range it
had done.

Runs in the driver; writes that file, which only its owner may read.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.verify.cause import Cause
from shardwright.runtime.verify.key_range import Key
from shardwright.runtime.verify.result import ColumnDifference, Mismatch, MismatchKind
from shardwright.specs.files.private_files import write_private

_WRITE_EVERY = 2.0


@dataclass
class TableCheckpoint:
    """What the ranges of one table up to `high` gave."""

    high: Key | None = None
    """Last key of the last range that is done; None before the first, and behind the last, which is open."""
    done: bool = False
    """Whether there are no more ranges."""
    rows_source: int = 0
    """Rows at the source in these ranges."""
    rows_shards: dict[int, int] = field(default_factory=dict)
    """Shard number -> rows."""
    chunks: int = 0
    """Ranges that are done."""
    differing_chunks: int = 0
    """Those of them whose sums differed."""
    mismatches: list[Mismatch] = field(default_factory=list)
    """What was found wrong, as far as it is kept."""
    not_listed: int = 0
    """Mismatches that were found and are not kept."""
    still_changing: list[Key] = field(default_factory=list)
    """Keys that kept changing while they were checked."""
    seconds: float = 0.0
    """Seconds of comparing, over all calls."""

    @property
    def has_begun(self) -> bool:
        return self.chunks > 0


@dataclass
class Checkpoint:
    """The file's contents. It is written every 2 s; nothing is written without a `path`."""

    path: Path | None
    fingerprint: str
    """That of the plan."""
    tables: dict[str, TableCheckpoint] = field(default_factory=dict)
    """By logical table."""
    now: Callable[[], float] = time.monotonic
    _written: float = 0.0

    def of(self, logical: str) -> TableCheckpoint:
        return self.tables.setdefault(logical, TableCheckpoint())

    def note_change(self) -> None:
        if self.now() - self._written >= _WRITE_EVERY:
            self.write()

    def end(self) -> None:
        """Called last. Of a comparison that has reached its end nothing is kept: the next one begins anew."""
        if self.path is not None and all(state.done for state in self.tables.values()):
            self.path.unlink(missing_ok=True)
        else:
            self.write()

    def write(self) -> None:
        if self.path is None:
            return
        data = {"fingerprint": self.fingerprint, "tables": {name: asdict(state) for name, state in self.tables.items()}}
        beside = self.path.with_name(self.path.name + ".new")
        write_private(beside, json.dumps(data))
        os.replace(beside, self.path)
        self._written = self.now()


def read_checkpoint(path: Path | None, plan: Plan, tables: Sequence[str]) -> Checkpoint:
    """What the file holds of `tables`; empty where there is none. Raises InputAtFault (SW8510) when it is no such file,
    or one of another plan."""
    if path is None or not path.exists():
        return Checkpoint(path, plan.fingerprint)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        found = {name: _state(value) for name, value in data["tables"].items()}
        fingerprint = str(data["fingerprint"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputAtFault("SW8510", f"{path} holds no checkpoint of a comparison: {error}") from error
    if fingerprint != plan.fingerprint:
        raise InputAtFault("SW8510", f"{path} is of plan {fingerprint}, and this is plan {plan.fingerprint}: remove it")
    return Checkpoint(path, plan.fingerprint, {name: state for name, state in found.items() if name in tables})


def _state(data: Mapping[str, Any]) -> TableCheckpoint:
    state = TableCheckpoint(**data)
    state.high = None if state.high is None else tuple(state.high)
    state.rows_shards = {int(shard): int(rows) for shard, rows in state.rows_shards.items()}
    state.mismatches = [_mismatch(one) for one in data["mismatches"]]
    state.still_changing = [tuple(key) for key in state.still_changing]
    return state


def _mismatch(saved: Mapping[str, Any]) -> Mismatch:
    columns = tuple(ColumnDifference(**{**column, "cause": _cause(column.get("cause"))}) for column in saved["columns"])
    key, places = tuple(saved["key"]), tuple(saved["places"])
    cause = _cause(saved.get("cause"))
    return Mismatch(MismatchKind(saved["kind"]), saved["table"], key, places, saved["belongs"], columns, cause)


def _cause(saved: str | None) -> Cause | None:
    return None if saved is None else Cause(saved)
