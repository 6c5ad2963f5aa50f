"""What a terminal, a pipe and a machine see of a run that copies: progress bars, plain lines, and JSON lines with the
same events, also of a run that goes on where another one died. They show that it keeps to the environment's cap (G7).
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
from jsonschema import Draft202012Validator

from shardwright.runtime.events.catalogue import event_schema
from tests.servers.forks import SHARDWRIGHT
from tests.servers.testbed import Arena
from tests.support.case import SHARDS, Case
from tests.support.job import ENVIRONMENT, SMALL_SPARK
from tests.support.waiting import PATIENCE

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

ROWS = {"item": 2_000, "note": 30}
CHUNK = 100
CAP = 8_000
IN_FLIGHT = 3
"""Chunks that the driver has handed over: two wait for the task."""
PLAIN = re.compile(r"\d{4}-\d\d-\d\dT[\d:]{8}Z \[ *[\d.]+s\] [\x20-\x7e]+")
"""A line without control characters."""


def test_g7_bars_and_json_lines_say_what_is_copied(arena: Arena, tmp_path: Path) -> None:
    case = Case(
        arena,
        tmp_path,
        "tables:\n  - {table: item, sharding: by_id}\n  - {table: note, sharding: by_id}",
        setup=(
            *(f"CREATE TABLE {name} (id INT PRIMARY KEY, v VARCHAR(20)) DEFAULT CHARSET=utf8mb4" for name in ROWS),
            *(f"INSERT INTO {name} VALUES {_values(rows)}" for name, rows in ROWS.items()),
        ),
        settings={
            **SMALL_SPARK,
            "snapshot": {"chunk_rows": CHUNK, "parallel": 1},
            "throttle": {"bytes_per_second": f"{CAP}B"},
        },
    )
    case.plan()
    piped = case.kill_at("after-chunk-done@item")
    assert "copy rate: at most 8,000 bytes/s" in piped.err
    assert all(PLAIN.fullmatch(line) for line in piped.err.split("\n")[:-1]), f"no plain lines in a pipe: {piped.err!r}"
    before = case.rows_copied("item")
    assert 0 < before < ROWS["item"]
    report = tmp_path / "progress.jsonl"
    screen = _on_a_terminal(case, "--report", f"json={report}")
    events = [json.loads(line) for line in report.read_text().splitlines()]
    _require_fields(events)
    _require_lines(events, before)
    _require_pace(events, sum(map(len, map(_value, range(before, ROWS["item"])))))
    assert "\x1b[1A" in screen, "bars are drawn again in their place: the cursor goes up"
    screen = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen)
    assert "item: 2,000 rows copied" in screen and "note: 30 rows copied" in screen
    assert re.search(r"item +[━╸╺]+ +\d+% +[\d,]+/2,000", screen), "no bar"
    assert "copy: 2 of 2 tables done" in screen and "stream: " in screen


def _require_fields(events: list[dict[str, Any]]) -> None:
    """Each line is as the schema says that users get."""
    schema = {kind["title"]: Draft202012Validator(kind) for kind in event_schema()["oneOf"]}
    for event in events:
        schema[event["event"]].validate(event)
    seen = {event["event"] for event in events}
    assert seen >= {
        "RunStarted",
        "TableProgress",
        "ChunkCopied",
        "SnapshotComplete",
        "Following",
        "CaughtUp",
        "RunFinished",
    }


def _require_pace(events: list[dict[str, Any]], size: int) -> None:
    """`size`: of the values of `item` that this run has copied, at least. A cap begins without credit."""
    begun = next(event["at"] for event in events if "copy rate: at most 8,000 bytes/s" in event["sentence"])
    last = [event for event in events if event["event"] == "ChunkCopied" and event["table"] == "item"][-1]
    assert last["bytes_sent"] >= size
    in_flight = IN_FLIGHT * CHUNK * len(_value(0))
    seconds = last["at"] - begun
    print(f"{size} bytes in {seconds:.1f} s, with a cap of {CAP}")
    assert size <= CAP * (seconds + 0.5) + in_flight, (size, seconds)


def _require_lines(events: list[dict[str, Any]], before: int) -> None:
    assert all(isinstance(event["at"], float) for event in events)
    begun = {event["table"]: event for event in events if event["event"] == "TableProgress"}
    assert begun["item"]["rows"] == before and begun["note"]["rows"] == 0
    for name, rows in ROWS.items():
        chunks = [event for event in events if event["event"] == "ChunkCopied" and event["table"] == name]
        assert sum(event["rows"] for event in chunks) == rows - begun[name]["rows"]
        totals = [event["total_rows"] for event in chunks]
        assert totals == sorted(totals) and totals[-1] == rows
        assert [event["complete"] for event in chunks] == [False] * (len(chunks) - 1) + [True]
        assert set(chunks[-1]["shards"]) == set(SHARDS) and chunks[-1]["bytes_sent"] > 0
    assert any(event["event"] in ("BatchApplied", "Lag") for event in events)


def _values(rows: int) -> str:
    return ", ".join(f"({number}, '{_value(number)}')" for number in range(rows))


def _value(number: int) -> str:
    return f"a value {number:012}"


def _on_a_terminal(case: Case, *more: str) -> str:
    """The command's standard error, which is a terminal."""
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
    return seen.decode("utf-8", "replace")
