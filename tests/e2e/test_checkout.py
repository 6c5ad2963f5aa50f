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
from examples.shop.layers import MORE_SHARDS, SHOP_SPLIT, ShardsLayer, Switch, Writes, addresses_in
from tests.servers.testbed import Arena
from tests.workload.shop import create_shop, shop_address

pytestmark = pytest.mark.server

SHOP, BESIDE_SHOP = "shop", "_shardwright_shop"


@pytest.fixture
def addresses(arena: Arena, tmp_path: Path) -> dict[str, Address]:
    arena.prepare(tmp_path, source_databases=(SHOP, BESIDE_SHOP), target_databases=tuple(SHOP_SPLIT.shards.databases))
    create_shop(arena)
    servers = {SHOP: arena.source, BESIDE_SHOP: arena.source, **arena.placement}
    return {database: replace(shop_address(server), database=database) for database, server in servers.items()}


def test_all_is_well(addresses: dict[str, Address], capsys: pytest.CaptureFixture[str]) -> None:
    assert _after_some_orders(Checkout(addresses, rate=100))
    assert "transactions, 0 lost, 0 doubled; longest pause" in capsys.readouterr().out


@pytest.mark.in_turn
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
            arena.source.query(spoiling, database=SHOP)
            return super().verdict()

    checkout = Spoiled(addresses, rate=100)
    assert not _after_some_orders(checkout)
    printed = capsys.readouterr().out
    assert said in printed and str(checkout.spoiled) in printed


def test_what_is_read_must_be_what_was_written(arena: Arena, addresses: dict[str, Address]) -> None:
    spoiling = "UPDATE order_info SET note = 'version 0'"
    with pytest.raises(WrongRow, match=r"shop\.order_info .*wrote .*'version \d+'.*, read .*'version 0'"):
        _after_some_orders(Checkout(addresses, rate=100), lambda: arena.source.query(spoiling, database=SHOP))


@pytest.mark.parametrize(("layer", "count"), [(SHOP_SPLIT.shards, 4), (MORE_SHARDS.shards, 8)])
def test_the_layers_of_shards_find_places_as_the_specs_have_them(arena: Arena, layer: ShardsLayer, count: int) -> None:
    for user in (1, 7, 50_000_000, 50_000_999, -(2**41)):
        expressions = f"CRC32({user}) % {count}, (CRC32({user}) DIV {count}) % {count}"
        ((database, suffix),) = arena.source.query(f"SELECT {expressions}")
        place = layer.place(1, user)
        assert (place.database, place.orders) == (layer.databases[database], f"order_info_{suffix}")


def test_the_places_of_a_migration_are_found_in_its_environment(tmp_path: Path) -> None:
    """Of the second one, whose source is on two servers: that of `source` is not named for its databases."""
    file = tmp_path / "wide.yaml"
    file.write_text(
        "source: {host: old-0, port: 1}\n"
        "servers: {old-1: {host: old-1, port: 2}, new: {host: new, port: 3}}\n"
        "source_databases: {order_db_2: old-1, order_db_3: old-1}\n"
        f"shards: {{{', '.join(f'{name}: new' for name in MORE_SHARDS.shards.databases)}}}\n",
        encoding="utf-8",
    )
    found = addresses_in(file, MORE_SHARDS, user="app", password_file=tmp_path)
    assert {name: found[name].host for name in ("order_db_1", "order_db_2", "part_7")} == {
        "order_db_1": "old-0",
        "order_db_2": "old-1",
        "part_7": "new",
    }
    assert set(MORE_SHARDS.switch_places) <= set(found)


def test_an_older_generation_is_not_believed(arena: Arena, addresses: dict[str, Address]) -> None:
    switch = Switch(addresses, SHOP_SPLIT)
    assert switch.ask() == Writes("source", 0)
    for database, writes_to, generation in ((BESIDE_SHOP, "source", 2), ("order_db_0", "shards", 1)):
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
