"""What a terminal and a machine see of a run that copies: progress bars, and JSON lines with the same events, also of a
run that goes on where another one died.
"""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.driver import PATIENCE, SHARDWRIGHT
from tests.field.case import SHARDS, Case
from tests.servers.testbed import Arena
from tests.workload.job import ENVIRONMENT, SMALL_SPARK

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

ROWS = {"item": 2_000, "note": 30}
CHUNK = 400


def test_bars_and_json_lines_say_what_is_copied(arena: Arena, tmp_path: Path) -> None:
    case = Case(
        arena,
        tmp_path,
        "tables:\n  - {table: item, sharding: by_id}\n  - {table: note, sharding: by_id}",
        setup=(
            *(f"CREATE TABLE {name} (id INT PRIMARY KEY, v VARCHAR(20)) DEFAULT CHARSET=utf8mb4" for name in ROWS),
            *(f"INSERT INTO {name} VALUES {_values(rows)}" for name, rows in ROWS.items()),
        ),
        settings={**SMALL_SPARK, "snapshot": {"chunk_rows": CHUNK, "parallel": 1}},
    )
    case.plan()
    case.killed_at("after-chunk-done@item")
    before = case.rows_copied("item")
    assert 0 < before < ROWS["item"]
    report = tmp_path / "progress.jsonl"
    screen = _on_a_terminal(case, "--report", f"json={report}")
    events = [json.loads(line) for line in report.read_text().splitlines()]
    _require_lines(events, before)
    assert "item: 2,000 rows copied" in screen and "note: 30 rows copied" in screen
    assert re.search(r"item\s.*\d%", screen), "no bar"
    assert "copy: 2 of 2 tables done" in screen and "stream: " in screen


def _require_lines(events: list[dict[str, Any]], before: int) -> None:
    assert all(isinstance(event["at"], float) for event in events)
    begun = {event["table"]: event for event in events if event["event"] == "TableProgress"}
    assert begun["item"]["rows"] == before and begun["note"]["rows"] == 0
    for name, rows in ROWS.items():
        chunks = [event for event in events if event["event"] == "CopyProgress" and event["table"] == name]
        assert sum(event["rows"] for event in chunks) == rows - begun[name]["rows"]
        totals = [event["total_rows"] for event in chunks]
        assert totals == sorted(totals) and totals[-1] == rows
        assert [event["complete"] for event in chunks] == [False] * (len(chunks) - 1) + [True]
        assert set(chunks[-1]["shards"]) == set(SHARDS) and chunks[-1]["bytes_sent"] > 0
    assert any(event["event"] == "StreamProgress" for event in events)
    assert any(event["event"] == "Said" and "snapshot complete" in event["text"] for event in events)


def _values(rows: int) -> str:
    return ", ".join(f"({number}, 'v{number}')" for number in range(rows))


def _on_a_terminal(case: Case, *more: str) -> str:
    """The command's standard error, which is a terminal, without its control codes."""
    command = [SHARDWRIGHT, "--project", str(case.project), "run", "--env", ENVIRONMENT, *more]
    reader, terminal = pty.openpty()
    environ = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"}
    environ.pop("NO_COLOR", None)
    with subprocess.Popen(command, stdout=terminal, stderr=terminal, env=environ) as process:
        os.close(terminal)
        seen = b""
        try:
            while part := os.read(reader, 65_536):
                seen += part
        except OSError:
            pass  # Linux: the other side is closed
        finally:
            os.close(reader)
        assert process.wait(timeout=PATIENCE) == 0, seen.decode("utf-8", "replace")[-2000:]
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen.decode("utf-8", "replace"))
