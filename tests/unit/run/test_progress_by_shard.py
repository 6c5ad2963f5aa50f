"""What a run tells of its shards: every one to machines, the emptiest and the fullest to people."""

from __future__ import annotations

import io
import json
import re

from shardwright.runtime.events.copy import ChunkCopied, OnShard
from shardwright.runtime.run.progress.listeners import JsonLines, PlainLines


def _event(**rows: int) -> ChunkCopied:
    shards = {database: OnShard(0, 0).plus(count, 10 * count) for database, count in rows.items()}
    total = sum(rows.values())
    return ChunkCopied("orders", total, total, 9000, "orders/1", 1, 10 * total, None, None, None, shards)


def _plain(event: ChunkCopied) -> str:
    out = io.StringIO()
    PlainLines(out).handle(event)
    return re.sub(r"^\[.*?\] ", "", out.getvalue())


def test_lines_name_the_emptiest_and_the_fullest_shard_however_many_there_are() -> None:
    assert _plain(_event(**{f"db_{number:02}": 1000 + number for number in range(64)})).endswith(
        ", 64 shards: 1,000 rows (db_00) to 1,063 (db_63)\n"
    )
    assert _plain(_event(a=5, b=0)).endswith(", 2 shards: 0 rows (b) to 5 (a)\n")


def test_lines_do_not_speak_of_shards_that_have_the_same_or_of_a_single_one() -> None:
    assert "shards" not in _plain(_event(a=5)) and "shards" not in _plain(_event(a=5, b=5))


def test_json_lines_carry_rows_and_bytes_of_every_shard() -> None:
    out = io.StringIO()
    JsonLines(out).handle(_event(a=5, b=0))
    reported = json.loads(out.getvalue())
    assert reported["shards"] == {"a": {"rows": 5, "bytes_sent": 50}, "b": {"rows": 0, "bytes_sent": 0}}
