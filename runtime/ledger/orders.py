"""Which order of an operator is in force for a migration. It outlives runs: a migration that is paused stays paused
when it is started again.

Used in the driver, whose throttle reads it, and by the commands `control` and `status`; `control` writes to the first
shard.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, Literal

from pymysql.connections import Connection

from shardwright.runtime.ledger.audit import audit
from shardwright.runtime.mysql.transactions import execute, query

TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_control` (
      migration VARCHAR(64) NOT NULL PRIMARY KEY,
      paused TINYINT NOT NULL,
      paused_by VARCHAR(255) NOT NULL,
      paused_at DATETIME(6) NULL,
      reason TEXT NOT NULL,
      rows_per_second BIGINT NULL,
      rows_by VARCHAR(255) NOT NULL,
      rows_at DATETIME(6) NULL,
      bytes_per_second BIGINT NULL
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
"""On the first shard."""

Cap = Literal["rows_per_second", "bytes_per_second"]

READ: Final = (
    "SELECT paused, paused_by, paused_at, reason, rows_per_second, rows_by, rows_at, bytes_per_second "
    "FROM `_shardwright_control` WHERE migration = %s"
)
_WRITE = (
    "REPLACE INTO `_shardwright_control` (migration, paused, paused_by, paused_at, reason, rows_per_second, rows_by, "
    "rows_at, bytes_per_second) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)"
)


@dataclass(frozen=True, slots=True)
class Order:
    """The orders in force: about pausing, and about the caps of the copy."""

    paused: bool = False
    """Whether the migration is to rest."""
    paused_by: str = ""
    """The operator that last paused or resumed; empty before the first order."""
    paused_at: datetime | None = None
    """When that was, in UTC; None before the first order."""
    reason: str = ""
    """Why, in the operator's words; may be empty."""
    rows_per_second: int | None = None
    """Cap on copied rows; None: the environment file decides."""
    rows_by: str = ""
    """The operator that last set a cap; empty before the first order."""
    rows_at: datetime | None = None
    """When that was, in UTC; None before the first order."""
    bytes_per_second: int | None = None
    """Cap on copied bytes; None: the environment file decides."""

    @property
    def caps(self) -> bool:
        """Whether an order is in force about how fast rows are copied."""
        return self.rows_per_second is not None or self.bytes_per_second is not None

    @property
    def pause_sentence(self) -> str:
        """The operator that has paused, since when, and why."""
        why = f" ({self.reason})" if self.reason else ""
        return f"paused by {self.paused_by} since {_time_text(self.paused_at)}{why}"

    @property
    def cap_sentence(self) -> str:
        found = caps_sentence(self.rows_per_second, self.bytes_per_second)
        return f"{found}, ordered by {self.rows_by} at {_time_text(self.rows_at)}"


def order_of(rows: Sequence[tuple[Any, ...]]) -> Order:
    """The order in the rows that `READ` has found."""
    if not rows:
        return Order()
    paused, paused_by, paused_at, reason, rows_per_second, rows_by, rows_at, bytes_per_second = rows[0]
    row_cap, byte_cap = (None if cap is None else int(cap) for cap in (rows_per_second, bytes_per_second))
    return Order(bool(paused), str(paused_by), paused_at, str(reason), row_cap, str(rows_by), rows_at, byte_cap)


def read_order(connection: Connection[Any], migration: str) -> Order:
    return order_of(query(connection, READ, (migration,)))


def pause(connection: Connection[Any], migration: str, *, by: str, reason: str) -> Order:
    return _give(connection, migration, lambda order, now: replace(
        order, paused=True, paused_by=by, paused_at=now, reason=reason
    ), what="paused", detail=f"by {by}{': ' if reason else ''}{reason}")  # fmt: skip


def resume(connection: Connection[Any], migration: str, *, by: str, reason: str) -> Order:
    return _give(connection, migration, lambda order, now: replace(
        order, paused=False, paused_by=by, paused_at=now, reason=reason
    ), what="resumed", detail=f"by {by}{': ' if reason else ''}{reason}")  # fmt: skip


def cap_copy(connection: Connection[Any], migration: str, which: Cap, value: int | None, *, by: str) -> Order:
    """Sets one cap; None: the environment file decides."""
    unit = which.removesuffix("_per_second")
    said = f"{unit} as the environment file says" if value is None else f"{value} {unit}/s"

    def change(order: Order, now: datetime) -> Order:
        rows = value if which == "rows_per_second" else order.rows_per_second
        size = value if which == "bytes_per_second" else order.bytes_per_second
        return replace(order, rows_per_second=rows, bytes_per_second=size, rows_by=by, rows_at=now)

    return _give(connection, migration, change, what="copy throttled", detail=f"{said}, by {by}")


def _give(
    connection: Connection[Any], migration: str, change: Callable[[Order, datetime], Order], *, what: str, detail: str
) -> Order:
    """Write the order and its line in the audit in one transaction, so that orders of several operators follow one
    another."""
    connection.begin()
    try:
        now = query(connection, "SELECT NOW(6)")[0][0]
        order = change(order_of(query(connection, f"{READ} FOR UPDATE", (migration,))), now)
        pause = (order.paused, order.paused_by, order.paused_at, order.reason)
        caps = (order.rows_per_second, order.rows_by, order.rows_at, order.bytes_per_second)
        execute(connection, _WRITE, (migration, *pause, *caps))
        audit(connection, migration, what, detail=detail)
        connection.commit()
    except BaseException:
        connection.rollback()
        raise
    return order


def caps_sentence(rows: int | None, size: int | None) -> str:
    """Caps on rows and bytes a second; empty without any."""
    return " and ".join(f"{cap:,} {unit}/s" for cap, unit in ((rows, "rows"), (size, "bytes")) if cap is not None)


def _time_text(at: datetime | None) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S} UTC" if at is not None else "?"
