"""The same log through mysql-replication, a decoder we share no code with, where that library is right (method J3).

It turns binary values into str and has its own view of SET, ENUM, BIT and zero dates: those are left out here."""

from __future__ import annotations

import random
from typing import Any

import pytest
from pymysqlreplication import BinLogStreamReader
from pymysqlreplication.row_event import DeleteRowsEvent, UpdateRowsEvent, WriteRowsEvent

from shardwright.runtime.sources.binlog import update_chains
from shardwright.runtime.sources.binlog.before_columns import BeforeColumns
from shardwright.runtime.sources.binlog.update_chains import UpdateChains
from tests.binlog.log_source import Source

pytestmark = pytest.mark.server

COLUMNS = """id BIGINT PRIMARY KEY, i INT, u INT UNSIGNED, m MEDIUMINT, price DECIMAL(20,6), d DOUBLE, day DATE,
  at DATETIME(6), moment TIMESTAMP(3) NULL, name VARCHAR(300), note TEXT, year YEAR"""


def test_j3_random_transactions_equal_an_independent_decoder(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole, in part as replaced images are, and merged when chains of updates have come as one event."""
    source.run(f"CREATE OR REPLACE TABLE oracle ({COLUMNS}) CHARACTER SET utf8mb4")
    source.run("SET GLOBAL binlog_row_metadata = FULL")  # the library has no other way to know names and signs
    dice = random.Random(2718)
    start = source.head()
    for n in range(25):
        rows = ", ".join(_row(dice, n * 100 + k) for k in range(dice.randrange(1, 60)))
        source.run("BEGIN", f"INSERT INTO oracle VALUES {rows}", f"UPDATE oracle SET i = id, name = 'n{n}' WHERE id % 5 = 0",
                   f"UPDATE oracle SET i = {n % 3}, u = {n} WHERE id % 3 = 0 AND id < 900",
                   f"UPDATE oracle SET u = u + 1, note = '{n}' WHERE id % 2 = 0", "UPDATE oracle SET id = id + 1000000 WHERE id % 11 = 0 AND id < 1000000", f"DELETE FROM oracle WHERE id % 7 = {n % 7}", "COMMIT")  # fmt: skip
    theirs = _their_changes(source, start.file, start.offset)
    source.run(f"SET GLOBAL binlog_row_metadata = {source.least_metadata}")
    ours = [(c["op"], c["before"], c["after"]) for c in source.changes(start, "oracle")]
    assert len(ours) > 1000
    assert ours == theirs
    for _ in range(8):  # any part of what updates replace
        wanted = frozenset({0, *dice.sample(range(12), dice.randrange(12))})
        replaced = {"shop.oracle": BeforeColumns(wanted, key=(0,))}
        parts = [(c["op"], c["before"], c["after"]) for c in source.changes(start, "oracle", replaced=replaced)]
        assert parts == [_part(change, wanted) for change in theirs]
    assert any(op == "U" and before[0] != after[0] for op, before, after in theirs)

    for most in (1 << 20, 20_000, 8_000):
        monkeypatch.setattr(update_chains, "MOST_BYTES", most)
        replaced = {"shop.oracle": BeforeColumns(frozenset({0, 1}), key=(0,), row=(0, 1))}
        events = sorted(source.changes(start, "oracle", replaced=replaced, chains=UpdateChains()), key=_position)
        chained = [(c["op"], c["before"], c["after"]) for c in events]
        assert len(chained) < len(theirs) - (500 if most == 1 << 20 else 0)
        assert _merge(chained) == _merge(theirs)


def _position(change: dict[str, Any]) -> tuple[int, int, int]:
    return change["file"], change["offset"], change["row"]


def _merge(changes: list[tuple[str, Any, Any]]) -> dict[str, tuple[str, Any, frozenset[Any]]]:
    """By key: the operation, the last image, and every value of column 1, which stands for a shard key (contract
    C2)."""
    found: dict[str, tuple[str, Any, frozenset[Any]]] = {}
    for op, before, after in changes:
        moved = op == "U" and before[0] != after[0]
        for one, old, new in [("D", before, None), ("I", None, after)] if moved else [(op, before, after)]:
            key = (new or old)[0]
            last, _, places = found.get(key, ("U", None, frozenset()))
            places |= {image[1] for image in (old, new) if image is not None}
            found[key] = ("I" if (one, last) == ("U", "I") else one, new, places)
    return found


def _part(change: tuple[str, Any, Any], wanted: frozenset[int]) -> tuple[str, Any, Any]:
    op, before, after = change
    if op == "U" and before[0] == after[0]:
        before = tuple(value if place in wanted else None for place, value in enumerate(before))
    return op, before, after


def _row(dice: random.Random, key: int) -> str:
    texts = ["''", "NULL", "'plain'", "'déjà vu'", "'😀'", f"REPEAT('x', {dice.randrange(300)})"]
    cells = [
        str(key),
        dice.choice(["NULL", str(dice.randrange(-(2**31), 2**31))]),
        str(dice.randrange(2**32)),
        str(dice.randrange(-(2**23), 2**23)),
        f"{dice.randrange(-(10**18), 10**18)}e-6",
        repr(dice.uniform(-1e9, 1e9)),
        dice.choice(
            ["NULL", f"'{dice.randrange(1000, 9999)}-{dice.randrange(1, 13):02d}-{dice.randrange(1, 29):02d}'"]
        ),
        f"'2024-{dice.randrange(1, 13):02d}-11 10:{dice.randrange(60)}:09.{dice.randrange(10**6):06d}'",
        dice.choice(["NULL", f"FROM_UNIXTIME({dice.randrange(1, 2**31)}.{dice.randrange(1000):03d})"]),
        dice.choice(texts),
        dice.choice(texts),
        str(dice.randrange(1901, 2156)),
    ]
    return f"({', '.join(cells)})"


def _their_changes(source: Source, file: str, offset: int) -> list[tuple[str, Any, Any]]:
    login = {"host": source.settings.host, "port": source.settings.port, "user": "root", "password": ""}
    end = source.head()
    stream = BinLogStreamReader(
        connection_settings=login, server_id=4242, resume_stream=True, log_file=file, log_pos=offset, is_mariadb=False,
        only_events=[WriteRowsEvent, UpdateRowsEvent, DeleteRowsEvent], end_log_pos=end.offset, blocking=False,
    )  # fmt: skip
    columns = source.columns("oracle")
    found: list[tuple[str, Any, Any]] = []

    def image(values: dict[str, Any]) -> tuple[str | None, ...]:
        return tuple(_text(values[column.name], column.name) for column in columns)

    try:
        for event in stream:
            if event.table != "oracle":
                continue
            for row in event.rows:
                if isinstance(event, UpdateRowsEvent):
                    found.append(("U", image(row["before_values"]), image(row["after_values"])))
                elif isinstance(event, WriteRowsEvent):
                    found.append(("I", None, image(row["values"])))
                else:
                    found.append(("D", image(row["values"]), None))
    finally:
        stream.close()
    return found


def _text(value: Any, column: str) -> str | None:
    if value is None:
        return None
    if column == "d":
        return float(value).hex()
    if column == "at":
        return f"{value:%Y-%m-%d %H:%M:%S.%f}"
    if column == "moment":
        return f"{value:%Y-%m-%d %H:%M:%S.%f}"[:23]
    return str(value)
