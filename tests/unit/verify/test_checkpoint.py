"""The file of a comparison's progress is read again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from shardwright.runtime.verify.cause import Cause
from shardwright.runtime.verify.checkpoint import Checkpoint, read_checkpoint
from shardwright.runtime.verify.result import ColumnDifference, Mismatch, MismatchKind
from tests.verify.test_honesty import PLAN


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "checkpoint"
    kept = Checkpoint(file, PLAN.fingerprint)
    kept.of("users").still_changing.append(("7",))
    column = ColumnDifference("name", "a", "A", Cause.COLLATION)
    different = Mismatch(MismatchKind.DIFFERENT, "users", ("8",), ("t",), None, (column,), Cause.COLLATION)
    kept.of("users").mismatches += [different, replace(different, cause=None, columns=())]
    kept.write()
    assert read_checkpoint(file, PLAN, ("users",)).tables == kept.tables
