"""The file of a comparison's progress is read again, also one that the last release has written."""

from __future__ import annotations

import json
from pathlib import Path

from shardwright.runtime.verify.checkpoint import Checkpoint, read_checkpoint
from tests.verify.test_honesty import PLAN


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "checkpoint"
    kept = Checkpoint(file, PLAN.fingerprint)
    kept.of("users").still_changing.append(("7",))
    kept.write()
    assert read_checkpoint(file, PLAN, ("users",)).tables == kept.tables


def test_a_file_of_the_last_release_is_read(tmp_path: Path) -> None:
    file = tmp_path / "checkpoint"
    kept = Checkpoint(file, PLAN.fingerprint)
    kept.of("users").still_changing.append(("7",))
    kept.write()
    data = json.loads(file.read_text("utf-8"))
    table = data["tables"]["users"]
    table["unsettled"] = table.pop("still_changing")
    file.write_text(json.dumps(data), "utf-8")
    assert read_checkpoint(file, PLAN, ("users",)).tables == kept.tables
