"""An operator's word: a run pauses, stays paused when it is killed and started again, goes on, and keeps to another
pace (G7).
"""

from __future__ import annotations

import json
import re
import time
from datetime import datetime
from pathlib import Path
from subprocess import Popen

import pytest

from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT
from tests.support.lab import SPARK, Lab, log_head, move

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

FAMILIES = 160
ROWS = 3 * FAMILIES
CAP, BYTES_CAP, CREDIT_SECONDS = 20, 10_000, 5
CHUNK_ROWS, CONNECTIONS = 5, 2
IN_FLIGHT = (CONNECTIONS + 2) * CHUNK_ROWS
"""Rows of the chunks that the driver has handed over: two wait for a task."""
SPEED = r"[\d,]+ rows/s, about \d+ \w+( \(.* to .*\))? left"
REPORTED = re.compile(rf"child chunk=.* rows=\d+ of about \d+ \(\d+%\) \d+ chunks, \S+ \w+ sent, {SPEED}")
"""How fast the copy goes and for how long it will: in a line of the run's."""
NOTE = "😀" * 100
"""Of each parent. Children have none: they are copied first, and reach no cap on bytes."""
NOTE_BYTES = 400


@pytest.mark.in_turn
def test_g7_a_run_is_paused_killed_resumed_and_kept_to_its_pace(arena: Arena, tmp_path: Path) -> None:
    settings = {
        "spark": SPARK,
        "snapshot": {"chunk_rows": CHUNK_ROWS},
        "throttle": {"rows_per_second": CAP, "connections": CONNECTIONS},
    }
    lab = Lab(arena, tmp_path, flat=True, settings=settings)
    lab.create_source()
    lab.fill({number: number % 4 for number in range(FAMILIES)})
    lab.write(f"UPDATE parent SET note = '{NOTE}'")
    arena.source.query("ANALYZE TABLE lab.parent, lab.child")
    lab.job.call("control", "pause", "--env", ENVIRONMENT, expect=6)  # nothing has begun
    with lab.run(gated=False) as run:
        lab.until(run, "chunks are copied", lambda: len(_chunks(lab)) >= 16)  # 8 of both shards
        reported = lab.job.call("control", "pause", "--env", ENVIRONMENT, "--reason", "the night is busy")
        assert "(the night is busy): a run drains in-flight work and starts none" in reported, reported
        _until_said(lab, run, "writing pauses: paused by ")
        assert _is_idle(lab, run) < ROWS
        lab.write(*move(3, 1))
        status = lab.job.call("status", "--env", ENVIRONMENT)
        assert re.search(r"^PAUSED +paused by .*\(the night is busy\)", status, re.MULTILINE), status
        assert re.search(r"^lab_0 .*; [1-9]\d* rows copied by [1-9]\d* chunks", status, re.MULTILINE), status
        _require_progress(status)
        assert (at := lab.ledger_state().position) is not None and at < log_head(arena.source)
    copied, heard = _count_copied(lab), len(lab.job.log.read_text())
    with lab.run(gated=False) as run:
        _until_said(lab, run, "and none starts until `shardwright control resume --env test`", since=heard)
        assert _is_idle(lab, run) == copied
        since = _now(lab)
        assert "lab is not paused" in lab.job.call("control", "resume", "--env", ENVIRONMENT)
        lab.until(run, "a hundred rows more are copied", lambda: _count_copied(lab) >= copied + 100)
        _require_pace(_chunks(lab, since), cap=CAP, in_flight=IN_FLIGHT)
        lab.until(run, "it tells its speed", lambda: REPORTED.search(lab.job.log.read_text(), heard) is not None)
        lab.at(0, "RENAME TABLE _shardwright_control TO hidden")
        _until_said(lab, run, "the operator's order cannot be read", since=heard)
        lab.at(0, "RENAME TABLE hidden TO _shardwright_control")
        _until_said(lab, run, "orders can be read again", since=heard)
        lab.job.call("control", "throttle", "--bytes-per-second", f"{BYTES_CAP}B", "--env", ENVIRONMENT)
        lab.job.call("control", "throttle", "--rows-per-second", "1000000", "--env", ENVIRONMENT)
        _until_said(lab, run, "copy rate: at most 1,000,000 rows/s and 10,000 bytes/s", since=heard)
        lab.until(run, "three of four parents are copied", lambda: _rows(_parents(lab)) >= FAMILIES * 3 // 4)
        sizes = [(at, NOTE_BYTES * rows) for at, rows in _parents(lab)]
        _require_pace(sizes, cap=BYTES_CAP, in_flight=NOTE_BYTES * IN_FLIGHT)
        reported = lab.job.call("control", "throttle", "--bytes-per-second", "20MiB", "--env", ENVIRONMENT)
        assert "copy rate: at most 1,000,000 rows/s and 20,971,520 bytes/s, ordered by " in reported, reported
        lab.until(run, "all is copied", lambda: lab.ledger_state().snapshot_done)
        lab.drain(run)
        lab.require_equal()
        lab.job.call("control", "throttle", "--rows-per-second", "default", "--env", ENVIRONMENT)
        order = json.loads(lab.job.call("control", "status", "--format", "json", "--env", ENVIRONMENT))
        assert (order["paused"], order["rows_per_second"], order["bytes_per_second"]) == (False, None, 20_971_520)
    kept = [what for (what,) in lab.at(0, "SELECT what FROM _shardwright_audit ORDER BY id")]
    assert [what for what in kept if what in ("paused", "resumed", "copy throttled")] == [
        "paused",
        "resumed",
        *["copy throttled"] * 4,
    ]


Written = list[tuple[datetime, int]]
"""When each chunk was written to each shard, and how much of it there."""


def _chunks(lab: Lab, since: datetime = datetime.min, *, logical: str = "%") -> Written:
    """Rows that were written since then."""
    found = []
    for shard in range(2):
        if lab.at(shard, "SHOW TABLES LIKE '\\_shardwright\\_chunk\\_done'"):
            sql = f"SELECT applied_at, rows_read FROM _shardwright_chunk_done WHERE logical LIKE '{logical}'"
            found += lab.at(shard, sql)
    return sorted((at, rows) for at, rows in found if at >= since)


def _parents(lab: Lab) -> Written:
    return _chunks(lab, logical="parent")


def _rows(written: Written) -> int:
    return sum(rows for _, rows in written)


def _count_copied(lab: Lab) -> int:
    return _rows(_chunks(lab))


def _now(lab: Lab) -> datetime:
    """As the first shard's server says, as our sessions read it: in UTC."""
    ((now,),) = lab.at(0, "SELECT UTC_TIMESTAMP(6)")
    return now  # type: ignore[no-any-return]


def _until_said(lab: Lab, run: Popen[bytes], text: str, *, since: int = 0) -> None:
    lab.until(run, f"the run says '{text}'", lambda: text in lab.job.log.read_text()[since:])


def _is_idle(lab: Lab, run: Popen[bytes]) -> int:
    """Wait until nothing is copied for three seconds. A run that is not paused never rests before it has copied
    everything."""
    seen, since = -1, time.monotonic()

    def rests() -> bool:
        nonlocal seen, since
        if (now := _count_copied(lab)) != seen:
            seen, since = now, time.monotonic()
        return time.monotonic() - since > 3

    lab.until(run, "nothing is copied any more", rests)
    return seen


def _require_progress(status: str) -> None:
    """`status`, which another process asks, tells how fast the copy goes and for how long it will."""
    assert re.search(rf"^child .* \d+% of about {2 * FAMILIES} rows, \S+ KiB, {SPEED}$", status, re.MULTILINE), status
    assert re.search(r"^all tables: about .* left at the current speed$", status, re.MULTILINE), status


def _require_pace(written: Written, *, cap: int, in_flight: int) -> None:
    """No more than the cap allows for the time that has passed, and what may be under way at its end."""
    seconds = (written[-1][0] - written[0][0]).total_seconds()
    print(f"{_rows(written)} in {seconds:.1f} s, with a cap of {cap}")
    assert _rows(written) <= cap * (seconds + CREDIT_SECONDS) + in_flight, (_rows(written), seconds)
