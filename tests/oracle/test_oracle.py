"""The oracle is judged first: it finds nothing in a true copy, and names every way a copy can be wrong."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pymysql.connections import Connection
from pymysql.cursors import Cursor

from tests.oracle.compare import compare, count
from tests.oracle.observer import Observer
from tests.oracle.tables import ORDER_DATABASES, ORDER_SUFFIXES, SHOP, Table
from tests.servers.testbed import Arena
from tests.workload.shop import fill_shop

pytestmark = pytest.mark.server
Shards = dict[str, "Connection[Cursor]"]


@pytest.fixture
def shards(arena: Arena, tmp_path: Path) -> Iterator[Shards]:
    """A small shop, copied to its shards by the plainest of programs."""
    arena.prepare(tmp_path, source_databases=("shop",), target_databases=ORDER_DATABASES)
    fill_shop(arena, orders=300)
    connections = {database: arena.shard(database) for database in ORDER_DATABASES}
    with arena.source.connect("shop") as source:
        for table in SHOP:
            _copy(source, table, connections)
    yield connections
    for connection in connections.values():
        connection.close()


def _copy(source: Connection[Cursor], table: Table, shards: Shards) -> None:
    cursor = source.cursor()
    for number, place in enumerate(table.sources):
        cursor.execute(f"SHOW CREATE TABLE {place}")
        name, create = cursor.fetchone()
        cursor.execute(f"SELECT * FROM {place}")
        columns = [column[0] for column in cursor.description]
        for shard in shards.values():
            for suffix in table.suffixes if number == 0 else ():
                physical = f"{table.name}{suffix}"
                shard.query(create.replace(f"CREATE TABLE `{name}`", f"CREATE TABLE `{physical}`"))
                for old, new in table.renamed.items():
                    shard.query(f"ALTER TABLE {physical} RENAME COLUMN {old} TO {new}")
                for column in table.excluded:
                    shard.query(f"ALTER TABLE {physical} DROP COLUMN {column}")
                shard.query(f"ALTER TABLE {physical} ADD COLUMN of_the_target INT DEFAULT 7")
        for values in cursor.fetchall():
            row = {table.renamed.get(c, c): v for c, v in zip(columns, values, strict=True) if c not in table.excluded}
            if table.place is None:
                homes = [(database, "") for database in shards]
            else:
                homes = [table.place(tuple(str(row[name]).encode() for name in table.placed_by))]
            for database, suffix in homes:
                slots = ", ".join(["%s"] * len(row))
                # Sets are read back as text: equal to what was written.
                shards[database].cursor().execute(
                    f"INSERT INTO {table.name}{suffix} ({', '.join(row)}) VALUES ({slots})",
                    [",".join(v) if isinstance(v, set) else v for v in row.values()],
                )


def test_j2_a_true_copy_and_each_way_it_can_be_wrong(arena: Arena, shards: Shards) -> None:
    with arena.source.connect("shop") as source:
        assert [count(source, table) > 0 for table in SHOP] == [True] * len(SHOP)
        assert compare(source, SHOP, shards) == []

        database, suffix, order = _an_order(shards)
        shard, table = shards[database], f"order_info{suffix}"

        def differences() -> list[str]:
            return compare(source, SHOP, shards)

        shard.query(f"UPDATE {table} SET note = CONCAT(COALESCE(note, ''), ' ') WHERE order_id = {order}")
        (line,) = differences()
        assert line.startswith(f"{database}.{table}: order_id {order}: note is ")
        shard.query(f"UPDATE {table} SET note = NULL WHERE order_id = {order}")

        shard.query(f"UPDATE {table} SET updated_at = updated_at + INTERVAL 1 MICROSECOND WHERE order_id = {order}")
        assert any("updated_at is " in line for line in differences())

        # In another shard too: misplaced there, and doubled.
        other = next(
            name for name in ORDER_DATABASES if arena.placement[name] is arena.placement[database] and name != database
        )
        shard.query(f"INSERT INTO {other}.{table} SELECT * FROM {table} WHERE order_id = {order}")
        text = "\n".join(differences())
        assert f"{other}.{table}: order_id {order} belongs to {database}.{table}" in text
        assert f"order_id {order} stands in {min(other, database)}.{table} too" in text
        shard.query(f"DELETE FROM {other}.{table} WHERE order_id = {order}")

        shard.query(f"DELETE FROM {table} WHERE order_id = {order}")
        assert differences() == [f"order_info: order_id {order} is on no shard"]
        arena.source.query(f"DELETE FROM order_info WHERE order_id = {order}", database="shop")
        assert differences() == []

        shard.query("DELETE FROM region WHERE code = -1")
        assert differences() == [f"{database}.region: code -1 is not there"]
        arena.source.query("DELETE FROM region WHERE code = -1", database="shop")
        assert len(differences()) == 3
        assert all(line.endswith("code -1 is not in the source") for line in differences())

        shard.query("ALTER TABLE payment_2 MODIFY signature BLOB")
        assert f"{database}.payment_2: columns differ: signature blob" in differences()
        shard.query("DROP TABLE payment_2")
        assert f"{database}.payment_2: there is no such table" in differences()


def test_the_observer_sees_a_lonely_parent_and_a_second_home(arena: Arena, shards: Shards) -> None:
    connect = {database: lambda database=database: arena.shard(database) for database in ORDER_DATABASES}
    database, suffix, order = _an_order(shards)
    other = next(
        name for name in ORDER_DATABASES if arena.placement[name] is arena.placement[database] and name != database
    )
    with Observer(connect, suffixes=ORDER_SUFFIXES, rest=0.5) as observer:
        _until(lambda: observer.looks > 3)
        assert observer.violations == []
        for table in ("order_item", "order_info"):
            shards[database].query(
                f"INSERT INTO {other}.{table}{suffix} SELECT * FROM {table}{suffix} WHERE order_id = {order}"
            )
        _until(lambda: any(f"{order} rests in" in line for line in observer.violations))
        shards[database].query(f"DELETE FROM order_item{suffix} WHERE order_id = {order}")
        _until(lambda: any(f"{order} is visible without its order_item" in line for line in observer.violations))


def _an_order(shards: Shards) -> tuple[str, str, int]:
    for database, shard in shards.items():
        for suffix in ORDER_SUFFIXES:
            with shard.cursor() as cursor:
                if cursor.execute(f"SELECT order_id FROM order_info{suffix} LIMIT 1"):
                    return database, suffix, cursor.fetchone()[0]
    raise AssertionError("no order anywhere")


def _until(condition, seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)
