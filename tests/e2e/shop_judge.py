"""The verdict over a shop that was moved: by the oracle, by an observer, by checksums. None of it is the product's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from pymysql.connections import Connection
from pymysql.cursors import Cursor

from tests.oracle.compare import Shards, compare, count
from tests.oracle.observer import Observer
from tests.oracle.tables import ORDER_DATABASES, ORDER_SUFFIXES, SHOP
from tests.servers.testbed import Arena


def require_equal(arena: Arena) -> None:
    """The shards together hold the source, row for row, each row once and where its rule says."""
    with ExitStack() as stack:
        source = stack.enter_context(arena.source.connect("shop"))
        shards: Shards = {name: stack.enter_context(arena.shard(name)) for name in ORDER_DATABASES}
        assert all(count(source, table) > 0 for table in SHOP)
        differences = compare(source, SHOP, shards)
    assert not differences, "\n".join(differences)


@contextmanager
def observe(arena: Arena, *, rest: float) -> Iterator[Observer]:
    """Within, the shards are watched as `Observer` does; on leaving, nothing bad was seen."""
    connect: dict[str, Callable[[], Connection[Cursor]]] = {
        database: lambda database=database: arena.shard(database)  # type: ignore[misc]
        for database in ORDER_DATABASES
    }
    with Observer(connect, suffixes=ORDER_SUFFIXES, interval=0.2, rest=rest) as observer:
        yield observer
    assert observer.looks > 10, "the observer was asleep"
    shown = "\n".join(observer.violations[:10])
    assert not observer.violations, f"{len(observer.violations)} violations:\n{shown}"


def checksums(arena: Arena) -> list[tuple[object, ...]]:
    """A checksum of every physical table of the shop."""
    tables = [f"{table.name}{suffix}" for table in SHOP for suffix in table.suffixes]
    return [
        row
        for name in ORDER_DATABASES
        for row in arena.placement[name].query("CHECKSUM TABLE " + ", ".join(f"{name}.{table}" for table in tables))
    ]


def columns_of(arena: Arena, table: str) -> dict[str, set[str]]:
    """The columns of every physical table of a logical one."""
    return {
        f"{database}.{table}{suffix}": {
            str(name)
            for (name,) in arena.placement[database].query(
                "SELECT column_name FROM information_schema.columns WHERE table_schema = %s AND table_name = %s",
                (database, table + suffix),
            )
        }
        for database in ORDER_DATABASES
        for suffix in ORDER_SUFFIXES
    }
