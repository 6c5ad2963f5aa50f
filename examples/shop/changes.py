"""What the shop's application does to its data, one function for each kind of change."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from typing import Any

from pymysql.cursors import Cursor

from examples.shop import texts

ITEM_TABLES = 4
HIGH_IDS = 2**63
"""Order ids reach into the upper half of BIGINT UNSIGNED, where signed arithmetic goes wrong."""


class Shop:
    """An open transaction on the shop's tables, with its dice and the keys that were deleted and may come back."""

    def __init__(self, cursor: Cursor, dice: random.Random) -> None:
        self.cursor = cursor
        self.dice = dice
        self.gone_orders: deque[int] = deque(maxlen=50)
        self.gone_payments: deque[str] = deque(maxlen=50)
        self._pending: list[tuple[deque[Any], Any]] = []

    def note_delete(self, graveyard: deque[Any], key: object) -> None:
        self._pending.append((graveyard, key))

    def remember(self) -> None:
        """The transaction is committed: its deleted keys are free."""
        for graveyard, key in self._pending:
            graveyard.append(key)
        self._pending.clear()

    def forget(self) -> None:
        """Some or all of the transaction was rolled back: whether a key of it is free is not known any more."""
        self._pending.clear()

    def execute(self, sql: str, *arguments: object) -> int:
        return self.cursor.execute(sql, arguments)

    def row(self, sql: str, *arguments: object) -> Any:
        """The first row, or None."""
        self.cursor.execute(sql, arguments)
        return self.cursor.fetchone()

    def some_order(self) -> tuple[int, int] | None:
        """Order id and user id of an order, locked; None when the table is empty there."""
        low = (
            HIGH_IDS + self.dice.randrange(2**62)
            if self.dice.random() < 0.2
            else self._anywhere("order_info", "order_id")
        )
        return self.row(
            "SELECT order_id, user_id FROM order_info WHERE order_id >= %s ORDER BY order_id LIMIT 1 FOR UPDATE", low
        ) or self.row("SELECT order_id, user_id FROM order_info ORDER BY order_id LIMIT 1 FOR UPDATE")

    def some_user(self) -> int:
        """The id of a user, locked; one is made when there is none."""
        low = self._anywhere("users", "id")
        found = self.row("SELECT id FROM users WHERE id >= %s ORDER BY id LIMIT 1 FOR UPDATE", low)
        return found[0] if found else sign_up(self)

    def _anywhere(self, table: str, key: str) -> int:
        (highest,) = self.row(f"SELECT COALESCE(MAX({key}), 1) FROM {table} WHERE {key} < %s", 2**40)
        return self.dice.randrange(max(1, int(highest)) + 1)

    def new_order_id(self) -> int:
        if self.gone_orders and self.dice.random() < 0.4:
            return self.gone_orders.pop()
        base = HIGH_IDS if self.dice.random() < 0.25 else 2**32
        return base + self.dice.randrange(2**39)

    def new_payment_no(self) -> str:
        if self.gone_payments and self.dice.random() < 0.4:
            return self.gone_payments.pop()
        # Two numbers may differ in nothing but case, or in an accent.
        prefix = self.dice.choice(("PAY", "pay", "付款", "PÁY", "💳"))
        return f"{prefix}-{self.dice.randrange(16**12):012x}"


def sign_up(shop: Shop) -> int:
    dice = shop.dice
    shop.execute(
        "INSERT INTO users (email, name, phone, balance, is_active, birthday, created_at)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s)",
        f"{dice.randrange(16**14):x}@new.example",
        dice.choice(texts.NAMES),
        dice.choice((None, "", "+49 30 1234")),
        texts.price(dice) - texts.price(dice),
        dice.randrange(2),
        dice.choice((None, "1970-01-01", "9999-12-31", "1000-01-01")),
        dice.choice((texts.moment(dice, digits=6), "9999-12-31 23:59:59.999999")),
    )
    return shop.cursor.lastrowid


def place_order(shop: Shop) -> None:
    """An order, its items, mostly a payment or several: 2 to 13 rows of three tables."""
    order, user = shop.new_order_id(), shop.some_user()
    _insert_order(shop, order, user)
    for line in range(1, shop.dice.choice((1, 2, 3, 9)) + 1):
        _insert_item(shop, order, line, user)
    for _ in range(shop.dice.choice((0, 1, 1, 3))):
        _insert_payment(shop, order, user)


def change_order(shop: Shop) -> None:
    if found := shop.some_order():
        shop.execute(
            "UPDATE order_info SET status = %s, note = %s, amount = %s, internal_note = %s WHERE order_id = %s",
            shop.dice.choice(texts.STATUSES),
            shop.dice.choice(texts.NOTES),
            texts.price(shop.dice),
            shop.dice.choice((None, "checked", "内部")),
            found[0],
        )


def change_only_what_is_not_copied(shop: Shop) -> None:
    """The column is excluded from the migration (the timestamp moves with it)."""
    if found := shop.some_order():
        shop.execute("UPDATE order_info SET internal_note = %s WHERE order_id = %s", str(shop.dice.random()), found[0])


def touch_one_row_repeatedly(shop: Shop) -> None:
    """Several events of one row in one transaction."""
    if found := shop.some_order():
        for status in shop.dice.sample(texts.STATUSES, 4):
            shop.execute("UPDATE order_info SET status = %s WHERE order_id = %s", status, found[0])


def change_items(shop: Shop) -> None:
    """One item more, another quantity, sometimes one less: never the last."""
    if not (found := shop.some_order()):
        return
    order, user = found
    table = _items(order)
    shop.execute(f"UPDATE {table} SET quantity = quantity + 1, price = price + 0.01 WHERE order_id = %s", order)
    last, lines = shop.row(f"SELECT MAX(line_no), COUNT(*) FROM {table} WHERE order_id = %s FOR UPDATE", order)
    if lines > 1 and shop.dice.random() < 0.5:
        shop.execute(f"DELETE FROM {table} WHERE order_id = %s AND line_no = %s", order, last)
    else:
        _insert_item(shop, order, last + 1, user)


def renumber_items(shop: Shop) -> None:
    """Half of the primary key of every item of an order changes in one statement."""
    if found := shop.some_order():
        table = _items(found[0])
        (last,) = shop.row(f"SELECT MAX(line_no) FROM {table} WHERE order_id = %s FOR UPDATE", found[0])
        if last < 60_000:
            # From the last line down, so that no line takes a number that is still in use.
            shop.execute(
                f"UPDATE {table} SET line_no = line_no + 1 WHERE order_id = %s ORDER BY line_no DESC", found[0]
            )


def delete_order(shop: Shop) -> None:
    if found := shop.some_order():
        _delete_order(shop, found[0])
        shop.note_delete(shop.gone_orders, found[0])


def delete_and_insert_again(shop: Shop) -> None:
    """The same key goes and comes back in one transaction, sometimes as another user's order."""
    if not (found := shop.some_order()):
        return
    order, user = found
    _delete_order(shop, order)
    user = shop.some_user() if shop.dice.random() < 0.5 else user
    _insert_order(shop, order, user)
    _insert_item(shop, order, 1, user)


def move_order_to_user(shop: Shop) -> None:
    """The shard key of an order with all that belongs to it changes, sometimes more than once on the way."""
    if not (found := shop.some_order()):
        return
    order, _ = found
    for _ in range(shop.dice.choice((1, 1, 1, 2))):
        _give_order(shop, order, shop.some_user())


def change_order_id(shop: Shop) -> None:
    """The primary key of an order changes, and its items move to the table the new id asks for."""
    if not (found := shop.some_order()):
        return
    old, new = found[0], shop.new_order_id()
    if not shop.execute("UPDATE IGNORE order_info SET order_id = %s WHERE order_id = %s", new, old):
        return
    before, after = _items(old), _items(new)
    if before == after:
        shop.execute(f"UPDATE {before} SET order_id = %s WHERE order_id = %s", new, old)
    else:
        shop.execute(
            f"INSERT INTO {after} SELECT %s, line_no, user_id, sku, quantity, price FROM {before} WHERE order_id = %s",
            new,
            old,
        )
        shop.execute(f"DELETE FROM {before} WHERE order_id = %s", old)
    shop.execute("UPDATE payment SET order_id = %s WHERE order_id = %s", new, old)
    shop.note_delete(shop.gone_orders, old)


def pay(shop: Shop) -> None:
    if found := shop.some_order():
        _insert_payment(shop, *found)


def change_payment(shop: Shop) -> None:
    """A payment's fields, sometimes its primary key, sometimes the payment goes."""
    if not (found := shop.some_order()):
        return
    payment = shop.row("SELECT payment_no FROM payment WHERE order_id = %s LIMIT 1 FOR UPDATE", found[0])
    if payment is None:
        return
    kind = shop.dice.random()
    if kind < 0.5:
        shop.execute(
            "UPDATE payment SET method = %s, paid_at = %s, signature = %s, reply = %s WHERE payment_no = %s",
            shop.dice.choice(texts.METHODS),
            shop.dice.choice((None, texts.moment(shop.dice, digits=3))),
            texts.signature(shop.dice),
            shop.dice.choice(texts.REPLIES),
            payment[0],
        )
    elif kind < 0.75:
        shop.execute(
            "UPDATE IGNORE payment SET payment_no = %s WHERE payment_no = %s", shop.new_payment_no(), payment[0]
        )
    else:
        shop.execute("DELETE FROM payment WHERE payment_no = %s", payment[0])
        shop.note_delete(shop.gone_payments, payment[0])


def change_user(shop: Shop) -> None:
    shop.execute(
        "UPDATE users SET name = %s, balance = balance + %s, is_active = 1 - is_active WHERE id = %s",
        shop.dice.choice(texts.NAMES),
        texts.price(shop.dice),
        shop.some_user(),
    )


def swap_emails(shop: Shop) -> None:
    """Two users, or three in a ring, exchange a unique value within the transaction."""
    users = {shop.some_user() for _ in range(shop.dice.choice((2, 3)))}
    emails = {user: shop.row("SELECT email FROM users WHERE id = %s FOR UPDATE", user)[0] for user in users}
    shop.execute("UPDATE users SET email = CONCAT('~', email) WHERE id IN %s", tuple(users))
    ring = list(emails)
    for user, other in zip(ring, ring[1:] + ring[:1], strict=True):
        shop.execute("UPDATE users SET email = %s WHERE id = %s", emails[other], user)


def change_user_id(shop: Shop) -> None:
    """A user's primary key, which is also the shard key, changes; the user's orders follow."""
    old = shop.some_user()
    orders = [
        order for (order,) in _all(shop, "SELECT order_id FROM order_info WHERE user_id = %s LIMIT 9 FOR UPDATE", old)
    ]
    new = shop.dice.choice((-1, 1)) * (2**41 + shop.dice.randrange(2**40))
    if len(orders) < 9 and shop.execute("UPDATE IGNORE users SET id = %s WHERE id = %s", new, old):
        for order in orders:
            _give_order(shop, order, new)


def close_account(shop: Shop) -> None:
    """A user goes, the user's orders first."""
    user = shop.some_user()
    orders = [
        order for (order,) in _all(shop, "SELECT order_id FROM order_info WHERE user_id = %s LIMIT 5 FOR UPDATE", user)
    ]
    if len(orders) < 5:
        for order in orders:
            _delete_order(shop, order)
            shop.note_delete(shop.gone_orders, order)
        shop.execute("DELETE FROM users WHERE id = %s", user)


def change_region(shop: Shop) -> None:
    code = shop.dice.randrange(900_000, 900_010)
    if not shop.execute("DELETE FROM region WHERE code = %s", code) or shop.dice.random() < 0.5:
        name, rate = shop.dice.choice(texts.NAMES), shop.dice.choice((None, "0.1900", "-9.9999"))
        shop.execute("INSERT INTO region VALUES (%s, %s, %s)", code, name, rate)
    shop.execute("UPDATE region SET tax_rate = %s WHERE code = %s", shop.dice.choice((None, "0.0700")), 310000)


CHANGES: tuple[tuple[Callable[[Shop], object], int], ...] = (
    (sign_up, 6),
    (place_order, 24),
    (change_order, 14),
    (change_only_what_is_not_copied, 3),
    (touch_one_row_repeatedly, 4),
    (change_items, 10),
    (renumber_items, 4),
    (delete_order, 6),
    (delete_and_insert_again, 4),
    (move_order_to_user, 8),
    (change_order_id, 5),
    (pay, 6),
    (change_payment, 8),
    (change_user, 6),
    (swap_emails, 4),
    (change_user_id, 2),
    (close_account, 2),
    (change_region, 2),
)
"""Each kind of change and how often it comes, relative to the others."""


def _items(order: int) -> str:
    return f"order_item_{order % ITEM_TABLES}"


def _all(shop: Shop, sql: str, *arguments: object) -> list[tuple[Any, ...]]:
    shop.execute(sql, *arguments)
    return list(shop.cursor.fetchall())


def _insert_order(shop: Shop, order: int, user: int) -> None:
    shop.execute(
        "INSERT INTO order_info (order_id, user_id, status, amount, note, internal_note, region_code)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s)",
        order,
        user,
        shop.dice.choice(texts.STATUSES),
        texts.price(shop.dice),
        shop.dice.choice(texts.NOTES),
        shop.dice.choice((None, "by the application")),
        shop.dice.choice((None, 310000)),
    )


def _insert_item(shop: Shop, order: int, line: int, user: int) -> None:
    quantity, sku = shop.dice.randrange(-9, 10), shop.dice.choice(texts.SKUS)
    shop.execute(
        f"INSERT INTO {_items(order)} VALUES (%s, %s, %s, %s, %s, %s)",
        order,
        line,
        user,
        sku,
        quantity,
        texts.price(shop.dice),
    )


def _insert_payment(shop: Shop, order: int, user: int) -> None:
    shop.execute(
        "INSERT INTO payment VALUES (%s, %s, %s, %s, %s, %s, %s, %s)",
        shop.new_payment_no(),
        order,
        user,
        shop.dice.choice(texts.METHODS),
        texts.price(shop.dice),
        shop.dice.choice((None, texts.moment(shop.dice, digits=3))),
        texts.signature(shop.dice),
        shop.dice.choice(texts.REPLIES),
    )


def _delete_order(shop: Shop, order: int) -> None:
    shop.execute("DELETE FROM payment WHERE order_id = %s", order)
    shop.execute("DELETE FROM order_info WHERE order_id = %s", order)
    shop.execute(f"DELETE FROM {_items(order)} WHERE order_id = %s", order)


def _give_order(shop: Shop, order: int, user: int) -> None:
    for table in ("order_info", _items(order), "payment"):
        shop.execute(f"UPDATE {table} SET user_id = %s WHERE order_id = %s", user, order)
