"""The demo's shop on test servers: schema, rows and writers, for every test that needs a workload."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from examples.shop.application import ShopApplication
from examples.shop.connection import Address
from examples.shop.load import load_shop
from tests.servers.testbed import Arena, Server

PROJECT = Path(__file__).resolve().parents[2] / "examples" / "shop"


def shop_address(server: Server) -> Address:
    """The shop on a test server, written to as its administrator."""
    return Address(server.host, server.port, "root", server.sandbox.admin_password_file)


def create_shop(arena: Arena) -> None:
    """Make the shop's tables on the source, empty."""
    arena.source.query("CREATE DATABASE IF NOT EXISTS shop")
    arena.source.run_script(PROJECT / "schema" / "shop.sql", database="shop")


def fill_shop(arena: Arena, *, orders: int, seed: int = 1, processes: int = 1) -> dict[str, int]:
    """Make the shop's tables on the source and load them; returns rows per logical table."""
    create_shop(arena)
    return load_shop(shop_address(arena.source), orders=orders, seed=seed, processes=processes)


@contextmanager
def write(arena: Arena, *, seed: int, rate: float = 50.0, writers: int = 1) -> Iterator[list[ShopApplication]]:
    """Within, the application writes in threads; on leaving it has stopped between two transactions.

    A writer that broke raises here.
    """
    stop = threading.Event()
    applications = [
        ShopApplication(shop_address(arena.source).connect, seed=seed + number, rate=rate / writers)
        for number in range(writers)
    ]
    failures: list[BaseException] = []

    def write(application: ShopApplication) -> None:
        try:
            application.run(stop=stop)
        except BaseException as failure:  # noqa: BLE001 - carried over to the test's thread
            failures.append(failure)

    threads = [threading.Thread(target=write, args=(application,), daemon=True) for application in applications]
    for thread in threads:
        thread.start()
    try:
        yield applications
    finally:
        stop.set()
        for thread in threads:
            thread.join(timeout=60)
    if failures:
        raise failures[0]


def count_writes(applications: list[ShopApplication]) -> Counter[str]:
    """What all writers together did."""
    return sum((application.counts for application in applications), Counter())
