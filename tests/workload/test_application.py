"""The shop's application does every kind of change, and keeps the rules that the observer relies on."""

from __future__ import annotations

import time

import pytest

from examples.shop.changes import CHANGES
from tests.servers.testbed import Arena
from tests.workload.shop import count_writes, fill_shop, write

pytestmark = pytest.mark.server
ITEMS = " UNION ALL ".join(f"SELECT order_id, user_id FROM order_item_{number}" for number in range(4))


def test_every_kind_of_change_and_the_shops_rules(arena: Arena, seed: int) -> None:
    loaded = fill_shop(arena, orders=2_000)
    assert loaded["order_info"] == 2_000 and loaded["order_item"] >= 2_000
    with write(arena, seed=seed, rate=2_000, writers=3) as applications:
        deadline = time.monotonic() + 300
        while count_writes(applications)["transactions"] < 1_500 and time.monotonic() < deadline:
            time.sleep(0.1)
    counts = count_writes(applications)
    print(counts)
    assert {change.__name__ for change, _ in CHANGES} <= set(counts)
    assert counts["rolled back"] and counts["rolled back to savepoint"]

    def number_of(sql: str) -> int:
        return arena.source.query(f"SELECT COUNT(*) FROM {sql}", database="shop")[0][0]

    same = "i.order_id = o.order_id AND i.user_id = o.user_id"
    assert number_of(f"order_info o WHERE NOT EXISTS (SELECT 1 FROM ({ITEMS}) i WHERE {same})") == 0
    assert number_of(f"({ITEMS}) i WHERE NOT EXISTS (SELECT 1 FROM order_info o WHERE {same})") == 0
    assert number_of(f"payment i WHERE NOT EXISTS (SELECT 1 FROM order_info o WHERE {same})") == 0
    assert sum(number_of(f"order_item_{table} WHERE order_id % 4 <> {table}") for table in range(4)) == 0
    assert number_of("order_info WHERE order_id >= 9223372036854775808") > 0


def test_the_load_is_the_same_for_the_same_seed(arena: Arena) -> None:
    sums = []
    for processes in (1, 2):
        arena.source.query("DROP DATABASE IF EXISTS shop")
        fill_shop(arena, orders=6_000, seed=3, processes=processes)
        sums.append(arena.source.query("CHECKSUM TABLE users, order_info, order_item_0, payment", database="shop"))
    assert sums[0] == sums[1]
