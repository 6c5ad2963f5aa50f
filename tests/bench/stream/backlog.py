"""Backlogs of three kinds, written into the source's table by statements that loop on the server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.servers.testbed import Server

DATABASE = "bench"
PRELOADED = 60_000
HOT_KEYS = 20_000
_ROWS_IN_ONE = 100
_UPDATED_IN_ONE = 20

_VALUES = (
    "SELECT {first} + n, ({first} + n) * 2654435761 MOD 5000, n MOD 7, n / 7, 'EUR', CONCAT('order number ', {first} + n, "
    "' of the day'), IF(n MOD 3, CONCAT('a note for the courier who brings ', {first} + n), NULL), n MOD 12, n / 3, "
    "NOW() - INTERVAL n SECOND, NOW(3) FROM numbers WHERE n < {count}"
)


@dataclass(frozen=True, slots=True)
class Kind:
    """`write` leaves about the given number of row changes in the log and returns how many."""

    name: str
    goal: float
    write: Callable[[Server, int], int]


def fill(source: Server) -> None:
    """The rows that stand there before any backlog."""
    _run(source, f"INSERT INTO orders {_VALUES.format(first=1, count=PRELOADED)}")


def make_numbers(source: Server) -> None:
    """Helper rows 0 .. 99,999; no table that anybody follows."""
    _run(source, "CREATE TABLE numbers (n INT PRIMARY KEY)")
    _run(source, "INSERT INTO numbers SELECT seq FROM seq_0_to_99999")


def insert_only(source: Server, changes: int) -> int:
    """Transactions of 100 new rows each."""
    first = _next_id(source)
    transactions = changes // _ROWS_IN_ONE
    values = _VALUES.format(first=f"({first} + i * {_ROWS_IN_ONE})", count=_ROWS_IN_ONE)
    _loop(source, transactions, f"INSERT INTO orders {values};")
    return transactions * _ROWS_IN_ONE


def hot_updates(source: Server, changes: int) -> int:
    """Transactions that update 20 rows each, all over a few keys: every key changes five times within 100,000
    changes."""
    slots = HOT_KEYS // _UPDATED_IN_ONE
    _loop(
        source,
        changes // _UPDATED_IN_ONE,
        "UPDATE orders SET status = (status + 1) MOD 7, quantity = quantity + 1, amount = amount + 1, "
        "note = CONCAT('changed for the courier, time ', quantity), updated_at = NOW(3) "
        f"WHERE id BETWEEN 1 + (i MOD {slots}) * {_UPDATED_IN_ONE} AND (i MOD {slots} + 1) * {_UPDATED_IN_ONE};",
    )
    return changes // _UPDATED_IN_ONE * _UPDATED_IN_ONE


def one_row_transactions(source: Server, changes: int) -> int:
    """New rows and updates of old ones in turn, each its own transaction."""
    first = _next_id(source)
    _loop(
        source,
        changes // 2,
        f"INSERT INTO orders {_VALUES.format(first=f'({first} + i)', count=1)}; "
        f"UPDATE orders SET quantity = quantity + 1, updated_at = NOW(3) WHERE id = 1 + (i * 7919) MOD {PRELOADED};",
    )
    return changes // 2 * 2


KINDS = (
    Kind("insert-only", 0.8, insert_only),
    Kind("hot-updates", 2.0, hot_updates),
    Kind("one-row", 1.0, one_row_transactions),
)


def _next_id(source: Server) -> int:
    ((highest,),) = source.query("SELECT MAX(id) FROM orders", database=DATABASE)
    return int(highest) + 1


def _loop(source: Server, times: int, statements: str) -> None:
    # Durability matters to those who drain the backlog, not to its being written.
    for setting, value in (("sync_binlog", 0), ("innodb_flush_log_at_trx_commit", 2)):
        source.query(f"SET GLOBAL {setting} = {value}")
    _run(source, f"BEGIN NOT ATOMIC FOR i IN 0 .. {times - 1} DO {statements} END FOR; END")
    for setting in ("sync_binlog", "innodb_flush_log_at_trx_commit"):
        source.query(f"SET GLOBAL {setting} = 1")


def _run(source: Server, statement: str) -> None:
    source.query(statement, database=DATABASE)
