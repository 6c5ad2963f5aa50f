"""The example's checkout notices what a cutover must not do: `make demo` relies on its verdict."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from examples.shop.checkout import Checkout, WrongRow
from examples.shop.connection import Address
from examples.shop.layers import LEDGER_BESIDE_SOURCE, SOURCE_DATABASE, ShardsLayer, Switch, Writes
from tests.servers.testbed import Arena
from tests.workload.shop import create_shop, shop_address

pytestmark = pytest.mark.server

SHARDS = tuple(f"order_db_{number}" for number in range(4))


@pytest.fixture
def addresses(arena: Arena, tmp_path: Path) -> dict[str, Address]:
    arena.prepare(tmp_path, source_databases=(SOURCE_DATABASE, LEDGER_BESIDE_SOURCE), target_databases=SHARDS)
    create_shop(arena)
    servers = {SOURCE_DATABASE: arena.source, LEDGER_BESIDE_SOURCE: arena.source, **arena.placement}
    return {database: replace(shop_address(server), database=database) for database, server in servers.items()}


def test_all_is_well(addresses: dict[str, Address], capsys: pytest.CaptureFixture[str]) -> None:
    assert _after_some_orders(Checkout(addresses, rate=100))
    assert "transactions, 0 lost, 0 doubled; longest pause" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("DELETE FROM order_item_{table} WHERE order_id = {order}", "1 lost, 0 doubled"),
        ("UPDATE order_info SET note = 'version 0' WHERE order_id = {order}", "1 lost, 0 doubled"),
        (
            "INSERT INTO order_item_{other} SELECT * FROM order_item_{table} WHERE order_id = {order}",
            "0 lost, 1 doubled",
        ),
    ],
)
def test_a_loss_is_named_at_the_end(
    arena: Arena, addresses: dict[str, Address], statement: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    class Spoiled(Checkout):
        def verdict(self) -> bool:
            orders = [order for till in self.tills for order in till.record.values() if order.lines == 1]
            self.spoiled = orders[0].order_id
            table, other = self.spoiled % 4, (self.spoiled + 1) % 4
            spoiling = statement.format(order=self.spoiled, table=table, other=other)
            arena.source.query(spoiling, database=SOURCE_DATABASE)
            return super().verdict()

    checkout = Spoiled(addresses, rate=100)
    assert not _after_some_orders(checkout)
    printed = capsys.readouterr().out
    assert said in printed and str(checkout.spoiled) in printed


def test_what_is_read_must_be_what_was_written(arena: Arena, addresses: dict[str, Address]) -> None:
    spoiling = "UPDATE order_info SET note = 'version 0'"
    with pytest.raises(WrongRow, match=r"shop\.order_info .*wrote .*'version \d+'.*, read .*'version 0'"):
        _after_some_orders(
            Checkout(addresses, rate=100), lambda: arena.source.query(spoiling, database=SOURCE_DATABASE)
        )


def test_the_layer_of_the_shards_finds_places_as_the_spec_has_them(arena: Arena) -> None:
    for user in (1, 7, 50_000_000, 50_000_999, -(2**41)):
        ((database, suffix),) = arena.source.query(f"SELECT CRC32({user}) % 4, (CRC32({user}) DIV 4) % 4")
        place = ShardsLayer().place(1, user)
        assert (place.database, place.orders) == (f"order_db_{database}", f"order_info_{suffix}")


def test_an_older_generation_is_not_believed(arena: Arena, addresses: dict[str, Address]) -> None:
    switch = Switch(addresses, "shop-split")
    assert switch.ask() == Writes("source", 0)
    for database, writes_to, generation in ((LEDGER_BESIDE_SOURCE, "source", 2), ("order_db_0", "shards", 1)):
        server = arena.placement.get(database, arena.source)
        server.query(
            "CREATE TABLE _shardwright_switch (migration VARCHAR(64) PRIMARY KEY, writes_to VARCHAR(8), generation BIGINT)",
            database=database,
        )
        server.query(
            "INSERT INTO _shardwright_switch VALUES ('shop-split', %s, %s)", (writes_to, generation), database=database
        )
    assert switch.ask() == Writes("source", 2)
    arena.source.stop()
    assert switch.ask() == Writes("source", 2)


def _after_some_orders(checkout: Checkout, meanwhile: Callable[[], object] = lambda: None) -> bool:
    """The verdict. It ends by itself when a till finds something wrong meanwhile."""

    def watch() -> None:
        end = time.monotonic() + 60
        while checkout.transactions < 40 and time.monotonic() < end:
            time.sleep(0.05)
        meanwhile()
        checkout.ending.wait(1.0)
        checkout.ending.set()

    threading.Thread(target=watch, daemon=True).start()
    return checkout.run()
