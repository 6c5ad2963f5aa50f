"""The rows of a batch are one row where the server says so (hazards D1, D2, D9, D10, D13, J1): random histories on real
servers, under every kind of collation, against what the source's table holds after each batch."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, seed, settings

from shardwright.compiler.plan.plan import TablePlan
from shardwright.runtime.stream.stage import stage
from tests.keys.bench import Bench
from tests.keys.histories import History, Log, Teller, histories
from tests.servers.testbed import Arena

pytestmark = pytest.mark.server

HISTORIES = int(os.environ.get("SHARDWRIGHT_EXAMPLES") or 40)
COLLATIONS = (
    "utf8mb4_general_ci",
    "utf8mb4_unicode_ci",
    "utf8mb4_unicode_520_ci",
    "utf8mb4_general_nopad_ci",
    "utf8mb4_uca1400_ai_ci",
    "utf8mb4_uca1400_nopad_as_cs",
    "utf8mb4_0900_ai_ci",
    "utf8mb4_0900_as_cs",
    "utf8mb4_bin",
    "utf8mb4_nopad_bin",
    "latin1_swedish_ci",
    "latin1_german2_ci",
)
_SPEC = """
version: 1
migration: keys
source: {dialect: DIALECT, databases: [shop], schema: schema.sql}
target: {databases: "keys_{0..1}", tables_suffix: "_{0..1}"}
sharding:
  by_name: {shard_key: [name], database: crc32(name) % 2, table: crc32(name) div 2 % 2}
tables:
"""


def spec_text(collations: Sequence[str]) -> str:
    """Every other table has a version column."""
    dialect = "mysql" if any("0900" in name for name in collations) else "mariadb"
    versions = ("", ", version_column: version")
    tables = [f"  - {{table: k_{name}, sharding: by_name{versions[at % 2]}}}\n" for at, name in enumerate(collations)]
    return _SPEC.replace("DIALECT", dialect) + "".join(tables)


WHOLE = "UNIQUE KEY by_mark (story, mark), UNIQUE KEY by_tag (story, tag)"
BEGINNINGS = "UNIQUE KEY by_mark (mark(2), story), UNIQUE KEY by_tag (story, tag(2))"


def schema_text(collations: Sequence[str], *, unique: str = WHOLE) -> str:
    return "".join(
        f"""
CREATE TABLE k_{name} (
  story int NOT NULL,
  name varchar(20) NOT NULL,
  version int NOT NULL,
  mark varchar(40),
  tag {"varchar(40)" if unique == WHOLE else "text"},
  amount int NOT NULL,
  PRIMARY KEY (story, name),
  {unique}
) DEFAULT CHARSET={name.partition("_")[0]} COLLATE={name};
"""
        for name in collations
    )


def make_histories(number: int) -> list[History]:
    found: list[History] = []

    @seed(number)
    @settings(max_examples=HISTORIES, deadline=None, database=None, phases=[Phase.generate])
    @given(histories())
    def collect(history: History) -> None:
        found.append(history)

    collect()
    # Short ones first: what fails first is easiest to understand.
    return sorted(found, key=lambda history: len(history.steps))


def server_collations(arena: Arena) -> list[str]:
    rows = arena.source.query("SELECT collation_name FROM information_schema.collations")
    there = {str(row[0]) for row in rows}
    # MariaDB lists its newest ones without their character set.
    there |= {f"utf8mb4_{name}" for name in there if name.startswith("uca1400")}
    return [name for name in COLLATIONS if name in there]


def test_d1_d2_d9_d10_d11_d13_d16_j1_any_history_ends_as_at_the_source(arena: Arena, tmp_path: Path, seed: int) -> None:
    """Keys spelt anew, exchanged and brought back, unique values exchanged, rows that move because their key is spelt
    anew, batches that begin with what the shards have seen already."""
    collations = server_collations(arena)
    bench = Bench(arena, tmp_path, spec_text(collations), schema_text(collations))
    _play_and_check(arena, bench, seed)


def test_d10_d16_any_history_where_only_how_values_begin_is_unique(arena: Arena, tmp_path: Path, seed: int) -> None:
    """Keys like UNIQUE (mark(2), story), over texts of several bytes a character: the server says which begin alike."""
    collations = server_collations(arena)[::2]
    bench = Bench(arena, tmp_path, spec_text(collations), schema_text(collations, unique=BEGINNINGS))
    assert all(len(table.identity.prefix_keys) == 2 for table in bench.plan.tables)
    _play_and_check(arena, bench, seed)


def test_e11_j1_any_history_that_is_staged_in_pieces(
    arena: Arena, tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    collations = server_collations(arena)[::4]
    bench = Bench(arena, tmp_path, spec_text(collations), schema_text(collations))
    bench.rows_at_once = 3
    monkeypatch.setattr(stage, "PIECE_ROWS", 10)
    _play_and_check(arena, bench, seed)


def test_histories_notice_when_no_one_settles_spellings(arena: Arena, tmp_path: Path) -> None:
    bench = Bench(arena, tmp_path, spec_text(COLLATIONS[:1]), schema_text(COLLATIONS[:1]))
    bench.settling = {}
    with pytest.raises(AssertionError):
        _play_and_check(arena, bench, 1)


def _play_and_check(arena: Arena, bench: Bench, seed: int) -> None:
    reported = make_histories(seed)
    logs = {table.logical: _play(arena, table, reported) for table in bench.plan.tables}
    for number in range(3):
        batch = {
            logical: [
                event
                for history, log in zip(reported, some, strict=True)
                for event in log.events(*_range(bench.plan.table(logical), history, number))
            ]
            for logical, some in logs.items()
        }
        bench.deliver(batch, copying=number == 0)
        for table in bench.plan.tables:
            _check(bench, table, reported, logs[table.logical], number)


def _range(table: TablePlan, history: History, number: int) -> tuple[int, int]:
    """The transactions of the story in that batch: it may begin with some that the shards have seen already. Not where
    a version column guards rows: versions go back in these stories, and a replay takes what it wrote for somebody
    else's."""
    ends = (*history.cuts, len(history.steps))
    if number == 0:
        return 0, ends[0]
    back = 0 if table.writes.version_column else history.backs[number - 1]
    return max(0, ends[number - 1] - back), ends[number]


def _play(arena: Arena, table: TablePlan, reported: Sequence[History]) -> list[Log]:
    (source,) = table.sources
    (name,) = (column.type for column in table.columns if column.target == "name")
    with arena.source.connect("shop") as connection, connection.cursor() as cursor:
        teller = Teller(cursor, table.logical, str(source), name.charset or "", tails=bool(table.identity.prefix_keys))
        return [teller.report(number, history) for number, history in enumerate(reported)]


def _check(bench: Bench, table: TablePlan, reported: Sequence[History], logs: Sequence[Log], batch: int) -> None:
    found: dict[int, list[tuple[Any, ...]]] = {number: [] for number in range(len(reported))}
    layout = bench.layouts[table.logical]
    for present in bench.read_rows(table):
        place = layout.place([None if value is None else str(value) for value in present.row])
        assert (present.shard, present.part) == (place.shard, place.part), f"{table.logical}: {present}"
        found[present.row[0]].append(present.row)
    for number, (history, log) in enumerate(zip(reported, logs, strict=True)):
        end = _range(table, history, batch)[1]
        events = "\n".join(
            f"{event}: {event.before} -> {event.after}" for event in log.events(*_range(table, history, batch))
        )
        assert sorted(found[number], key=repr) == sorted(log.states[end], key=repr), (
            f"{table.logical}, story {number}, batch {batch} of\n{events}"
        )
