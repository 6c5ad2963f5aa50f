"""What a terminal, a pipe and a machine see of a run that copies: a table, plain lines, and JSON lines with the same
events, also of a run that goes on where another one died. They show that it keeps to the environment's cap (G7). Then
`status` says the same, again and again, and of every migration on the servers.
"""

from __future__ import annotations

import json
import os
import pty
import re
import signal
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
SECOND = """tables:
  - {table: tag, sharding: by_id}
"""
CHUNK = 100
CAP = 8_000
IN_FLIGHT = 3
"""Chunks that the driver has handed over: two wait for the task."""
PLAIN = re.compile(r"\d{4}-\d\d-\d\dT[\d:]{8}Z \[ *[\d.]+s\] [\x20-\x7e]+")
"""A line without control characters."""


@pytest.mark.in_turn
def test_g7_a_table_and_json_lines_say_what_is_copied(arena: Arena, tmp_path: Path) -> None:
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
    lines = piped.err.split("\n")[:-1]
    assert all(PLAIN.fullmatch(line) for line in lines), f"no plain lines in a pipe: {piped.err!r}"
    assert "shardwright run begins in environment test" in lines[0]
    assert any(line.endswith("] checking servers, tables and grants") for line in lines)
    before = case.rows_copied("item")
    assert 0 < before < ROWS["item"]
    report, log = tmp_path / "progress.jsonl", tmp_path / "run.log"
    screen = _on_a_terminal(case, "run", "--report", f"json={report}", "--log-file", str(log))
    events = [json.loads(line) for line in report.read_text().splitlines()]
    _require_fields(events)
    _require_lines(events, before)
    _require_pace(events, sum(map(len, map(_value, range(before, ROWS["item"])))))
    _require_screen(screen, before)
    logged = log.read_text().splitlines()
    assert all(PLAIN.fullmatch(line) for line in logged) and "2,030" not in logged[0]
    assert "caught up at " in logged[-1] and log.stat().st_mode & 0o777 == 0o600
    _require_status(case)


def _require_screen(written: str, before: int) -> None:
    """At 80 columns."""
    assert "\x1b[1A" in written, "the table is drawn again in its place: the cursor goes up"
    lines = [line.rstrip() for line in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", written).replace("\r", "\n").split("\n")]
    *drawn, _ending = filter(None, lines)
    assert [line for line in drawn if len(line) > 80] == []
    assert "table                     copied                      rows    rows/s   time left" in lines
    bars = [found for line in lines if (found := re.match(r"item +[━╸╺]* +\d+% +([\d,]+)/2,000", line))]
    rows = [int(found[1].replace(",", "")) for found in bars]
    assert rows and rows[0] >= before and rows == sorted(rows), "a resumed table begins where it is"
    assert any(line.startswith("copy    0 of 2 tables copied") for line in lines)
    assert any(line.startswith("copy    2 of 2 tables copied (2,030 rows)") for line in lines)
    assert any(line.startswith("waits   ") and "starting Spark" in line for line in lines), "nothing said of the wait"
    assert any(re.match(r"stream  0 changes applied.*, lag 0\.0 s", line) for line in lines)
    assert any(re.match(r"\d\d:\d\d:\d\dZ Spark has started after", line) for line in lines)


def _require_status(case: Case) -> None:
    """Of one migration, again and again; and of two, the other one in a project of its own."""
    answer = ("status", "--env", ENVIRONMENT)
    watched = _on_a_terminal(case, *answer, "--watch", "0.2", ends_behind="again every 0.2 s")
    assert "\x1b[?1049h" in watched and watched.count("migration  field") >= 2
    with subprocess.Popen(
        [SHARDWRIGHT, "--project", str(case.project), *answer[:1], "--watch", "0.2", "--format", "json", *answer[1:]],
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        first, second = (json.loads(process.stdout.readline()) for _ in range(2))
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=PATIENCE) == 0
    assert first["snapshot_complete"] and second["caught_up"] and not first["live"]
    case.verify()
    case.write("CREATE TABLE tag (id INT PRIMARY KEY)", "INSERT INTO tag VALUES (1)")
    spec = case.spec_file.read_text(encoding="utf-8")
    other = spec[: spec.index("tables:")].replace("migration: field", "migration: second") + SECOND
    case.spec_file.with_name("second.yaml").write_text(other, encoding="utf-8")
    case.call("import", "--env", ENVIRONMENT)
    case.call("compile")
    other_one = ("--env", ENVIRONMENT, "--migration", "second")
    logged = case.call("run", *other_one, "--until", "snapshot", "--log-format", "json").err.splitlines()
    assert json.loads(logged[0])["event"] == "CommandStarted"
    assert [json.loads(line)["event"] for line in logged[-2:]] == ["RunFinished", "Message"]
    case.call("control", "pause", *other_one)
    text = case.call(*answer, "--all").out
    assert re.search(r"^field +forward +following, no run +behind +0 +2\d{3}-[\d-]+ [\d:]+ ", text, re.MULTILINE), text
    assert re.search(r"^second +forward +following, PAUSED, no run +0 s +0 +never ", text, re.MULTILINE), text
    found = json.loads(case.call(*answer, "--all", "--format", "json").out)
    assert [one["migration"] for one in found["migrations"]] == ["field", "second"] and found["problems"] == []
    assert [one["at_end"] for one in found["migrations"]] == [False, True], "the first has not read the DDL"
    assert found["migrations"][0]["verified_at"] and found["next"]
    case.arena.targets[0].stop()
    assert "not asked: SW8101: cannot reach" in case.call(*answer, "--all", code=4).out


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


def _on_a_terminal(case: Case, verb: str, *more: str, ends_behind: str = "") -> str:
    """What the command writes to a terminal of 80 columns. It ends by itself, or by an interrupt once it has written
    `ends_behind` twice."""
    command = [SHARDWRIGHT, "--project", str(case.project), verb, *([] if "--env" in more else ["--env", ENVIRONMENT])]
    reader, terminal = pty.openpty()
    environ = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "40"}
    environ.pop("NO_COLOR", None)
    with subprocess.Popen([*command, *more], stdout=terminal, stderr=terminal, env=environ) as process:
        os.close(terminal)
        seen, ends = b"", ends_behind.encode()
        try:
            while part := os.read(reader, 65_536):
                seen += part
                if ends and seen.count(ends) >= 2:
                    process.send_signal(signal.SIGINT)
                    ends = b""  # once: the second signal ends the command at once
        except OSError:
            pass  # Linux: the other side is closed
        finally:
            os.close(reader)
        assert process.wait(timeout=PATIENCE) == 0, seen.decode("utf-8", "replace")[-2000:]
    return seen.decode("utf-8", "replace")
