"""An order of the checkout, and its statements: the same for all layers, because only the places differ."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from pymysql.cursors import Cursor

from examples.shop.layers import Place

Rows = dict[tuple[object, ...], tuple[object, ...]]
"""The values of rows by database, table and primary key."""

_AMOUNT, _PRICE, _SKU = Decimal("9.90"), Decimal("3.30"), "tea-龙井-250g"


@dataclass(frozen=True)
class Order:
    """As the checkout's record has it. Each change gives it a new version, which is in its note and in all its items."""

    order_id: int
    user_id: int
    lines: int
    version: int = 1
    paid: bool = False

    @property
    def payment_no(self) -> str:
        return f"CHECKOUT-{self.order_id}"

    @property
    def status(self) -> str:
        return "paid" if self.paid else "new"

    @property
    def note(self) -> str:
        return f"version {self.version}"

    def rows(self, place: Place) -> Rows:
        """What `read` finds in the order's place."""
        rows: Rows = {(place.database, place.orders, self.order_id): (self.user_id, self.status, self.note)}
        for line in range(1, self.lines + 1):
            rows[place.database, place.items, self.order_id, line] = (self.user_id, self.version)
        if self.paid:
            rows[place.database, place.payments, self.payment_no] = (self.order_id, self.user_id, _AMOUNT)
        return rows


def read(cursor: Cursor, place: Place, first: int, last: int) -> Rows:
    """The rows of all orders from `first` to `last` that are in a place."""
    found: Rows = {}
    for table, key, columns in (
        (place.orders, ("order_id",), "user_id, status, note"),
        (place.items, ("order_id", "line_no"), "user_id, quantity"),
        (place.payments, ("payment_no",), "order_id, user_id, paid"),
    ):
        cursor.execute(
            f"SELECT {', '.join(key)}, {columns} FROM {table} WHERE order_id BETWEEN %s AND %s", (first, last)
        )
        for row in cursor.fetchall():
            found[place.database, table, *row[: len(key)]] = row[len(key) :]
    return found


def insert(cursor: Cursor, place: Place, order: Order) -> None:
    """`internal_note` is NULL at the source, and the shards do not have it. Columns are named: each side has others."""
    cursor.execute(
        f"INSERT INTO {place.orders} (order_id, user_id, status, amount, note) VALUES (%s, %s, %s, %s, %s)",
        (order.order_id, order.user_id, order.status, _AMOUNT, order.note),
    )
    cursor.executemany(
        f"INSERT INTO {place.items} (order_id, line_no, user_id, sku, quantity, price) VALUES (%s, %s, %s, %s, %s, %s)",
        [(order.order_id, line, order.user_id, _SKU, order.version, _PRICE) for line in range(1, order.lines + 1)],
    )


def update(cursor: Cursor, place: Place, before: Order, after: Order) -> None:
    cursor.execute(
        f"UPDATE {place.orders} SET status = %s, note = %s WHERE order_id = %s",
        (after.status, after.note, after.order_id),
    )
    cursor.execute(f"UPDATE {place.items} SET quantity = %s WHERE order_id = %s", (after.version, after.order_id))
    if after.paid and not before.paid:
        cursor.execute(
            f"INSERT INTO {place.payments} (payment_no, order_id, user_id, method, paid)"
            " VALUES (%s, %s, %s, 'card', %s)",
            (after.payment_no, after.order_id, after.user_id, _AMOUNT),
        )


def delete(cursor: Cursor, place: Place, order: Order) -> None:
    for table in (place.payments, place.orders, place.items):
        cursor.execute(f"DELETE FROM {table} WHERE order_id = %s", (order.order_id,))


def differences(expected: Rows, found: Rows) -> list[str]:
    """A sentence for each row that is not as expected."""
    wrong = (key for key in expected.keys() | found.keys() if expected.get(key) != found.get(key))
    return [
        f"{'.'.join(map(str, key[:2]))} {key[2:]}: wrote {expected.get(key)}, read {found.get(key)}"
        for key in sorted(wrong, key=str)
    ]
