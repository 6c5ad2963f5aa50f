"""Indexes that are built after the copy: beside writers, ended and begun again, told from what somebody else has
built.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread

import pytest

from shardwright.compiler.plan.plan import INDEXES, Plan, StepName, with_suffix
from shardwright.runtime.ddl.tables.build_indexes import IndexBuilding
from shardwright.runtime.ddl.tables.create import create_tables
from shardwright.runtime.ddl.tables.deferred_indexes import find_lacking, index_status
from shardwright.runtime.events.event import emit_lines
from shardwright.runtime.ledger.fencing import Writer
from shardwright.runtime.ledger.takeover import take_over_everywhere
from shardwright.runtime.mysql.servers import Servers
from tests.ddl.plans import DATABASES, FOLDER, shop_plan
from tests.ddl.shards import ORDERS, Shards
from tests.support.waiting import wait_until

pytestmark = pytest.mark.server

PATIENCE = 120.0
ROWS = 400


@dataclass
class Site:
    """The shards with tables that lack their indexes, and the writer of a run."""

    shards: Shards
    plan: Plan
    servers: Servers
    writer: Writer
    said: list[str] = field(default_factory=list)

    def make_building(self) -> IndexBuilding:
        return IndexBuilding(
            plan=self.plan,
            servers=self.servers,
            writer=self.writer,
            emit=emit_lines(self.said.append),
            may_build=lambda: True,
            on_step=lambda: None,
        )

    def tables_with_index(self) -> set[str]:
        """The physical tables that have the index."""
        return {
            name
            for name in ORDERS
            if self.shards.query(name.partition(".")[0], f"SHOW INDEX FROM {name} WHERE Key_name = 'placed'")
        }

    def add_by_hand(self, database: str, suffix: str) -> None:
        add = self.plan.step("orders", StepName.CREATE_TABLE).statement(INDEXES)
        self.shards.query(database, with_suffix(add, suffix))


@pytest.fixture
def site(shards: Shards) -> Site:
    return _site(shards, shop_plan({}, defer=True))


def _site(shards: Shards, plan: Plan) -> Site:
    servers = Servers(
        sources={},
        source_databases={},
        shards=tuple(shards.placement[database].endpoint for database in DATABASES),
        databases=DATABASES,
    )
    writer = take_over_everywhere(servers, role="data")
    create_tables(plan, connect=shards.connect, limit=4, on_progress=lambda _progress: None)
    return Site(shards, plan, servers, writer)


def test_all_tables_get_their_indexes_while_rows_are_written(site: Site) -> None:
    whole = _shapes_of_whole_tables(site)
    assert (len(find_lacking(site.plan, site.servers)), site.tables_with_index()) == (16, set())
    assert [(item.without, item.physical) for item in index_status(site.plan, site.servers)] == [(16, 16)]
    with _write(site, "order_db_2", "orders_1") as written:
        _build(site)
        _until(lambda: written() >= ROWS)
    assert site.tables_with_index() == set(ORDERS) and site.shards.shapes("orders") == whole
    assert find_lacking(site.plan, site.servers) == () and index_status(site.plan, site.servers) == ()
    ((rows, found),) = site.shards.query(
        "order_db_2",
        "SELECT (SELECT COUNT(*) FROM orders_1 USE INDEX (PRIMARY)), (SELECT COUNT(*) FROM orders_1 FORCE INDEX (placed) WHERE user_id >= 0)",
    )
    assert rows == found == written()
    assert site.said[0] == "indexes of orders: building placed in 16 of 16 tables"
    assert site.said[-1] == "indexes of orders: 16 of 16 tables"
    again = site.make_building()
    again.begin()
    assert again.is_done, "nothing is left to be done"
    again.end()


def test_a_run_that_ends_does_not_wait_for_a_build(site: Site) -> None:
    """The statement under way is ended on its server, and the next run builds what is missing."""
    with site.shards.connect("order_db_0") as user, user.cursor() as cursor:
        user.begin()
        cursor.execute("SELECT COUNT(*) FROM orders_0")  # from now on nobody alters it
        building = site.make_building()
        building.begin()
        _until(lambda: _is_altering(site, "order_db_0", "orders_0"))
        began = time.monotonic()
        building.end()
        assert time.monotonic() - began < 25 and not building.is_done
        building.check()  # that it was ended is no failure
        user.rollback()
    _until(lambda: not _is_altering(site, "order_db_0", "orders_0"))
    assert "order_db_0.orders_0" not in site.tables_with_index()
    _build(site)
    assert site.tables_with_index() == set(ORDERS)


def test_an_index_that_is_unrecorded_is_taken_when_it_is_as_planned(site: Site) -> None:
    """A run that died before it could say so leaves just that."""
    site.add_by_hand("order_db_1", "_2")
    assert len(find_lacking(site.plan, site.servers)) == 16
    _build(site)
    assert site.tables_with_index() == set(ORDERS) and find_lacking(site.plan, site.servers) == ()


def test_other_indexes_are_built_beside_a_fulltext_one(shards: Shards) -> None:
    """It stands from the beginning; a prefix as long as its column is none to the server, and not taken for somebody
    else's."""
    schema = (FOLDER / "shop.sql").read_text("utf-8")
    added = "FULLTEXT KEY `words` (`number`),\n  KEY `prefix` (`number`(32)),\n  KEY `placed`"
    site = _site(shards, shop_plan({}, schema=schema.replace("KEY `placed`", added), defer=True))
    assert site.plan.deferred_indexes == {"orders": ("prefix", "placed")}
    whole = _shapes_of_whole_tables(site)
    site.add_by_hand("order_db_0", "_0")
    _build(site)
    assert site.tables_with_index() == set(ORDERS) and site.shards.shapes("orders") == whole


def test_somebody_elses_index_of_the_same_name_is_refused(site: Site) -> None:
    site.shards.query("order_db_3", "ALTER TABLE orders_3 ADD INDEX placed (placed_at)")
    building = site.make_building()
    building.begin()
    with pytest.raises(Exception, match=r"SW8404: order_db_3.orders_3 was changed by someone else: .* placed not"):
        _until(lambda: _is_finished(building))
    building.end()
    site.shards.query("order_db_3", "ALTER TABLE orders_3 DROP INDEX placed")
    _build(site)
    assert site.tables_with_index() == set(ORDERS)


def test_a_newer_run_stops_the_building(site: Site) -> None:
    building = site.make_building()
    take_over_everywhere(site.servers, role="data")
    building.begin()
    with pytest.raises(Exception, match="SW8201: a newer run"):
        _until(lambda: _is_finished(building))
    building.end()
    assert site.tables_with_index() == set()


def _build(site: Site) -> None:
    building = site.make_building()
    try:
        building.begin()
        _until(lambda: _is_finished(building))
    finally:
        building.end()


def _is_finished(building: IndexBuilding) -> bool:
    building.check()
    return building.is_done


def _until(holds: Callable[[], bool]) -> None:
    wait_until("it is done", holds)


def _is_altering(site: Site, database: str, table: str) -> bool:
    found = site.shards.placement[database].query(
        "SELECT info FROM information_schema.processlist WHERE db = %s AND info LIKE 'ALTER TABLE%%'", (database,)
    )
    return any(f"`{table}`" in str(info) for (info,) in found)


@contextmanager
def _write(site: Site, database: str, table: str) -> Iterator[Callable[[], int]]:
    """Within, rows are inserted one by one; yields a function that tells how many were."""
    stop, count, failures = Event(), [0], list[BaseException]()

    def write() -> None:
        try:
            with site.shards.connect(database) as connection, connection.cursor() as cursor:
                while not stop.is_set() and count[0] < 10 * ROWS:
                    number = count[0] + 1
                    cursor.execute(
                        f"INSERT INTO {table} (id, user_id, number) VALUES (%s, %s, %s)",
                        (number, number % 97, str(number)),
                    )
                    count[0] = number
        except BaseException as error:  # noqa: BLE001 - the test raises it
            failures.append(error)

    thread = Thread(target=write)
    thread.start()
    try:
        _until(lambda: count[0] > 100 or bool(failures))
        yield lambda: count[0]
    finally:
        stop.set()
        thread.join()
    assert not failures, failures


def _shapes_of_whole_tables(site: Site) -> set[str]:
    """What tables look like whose indexes came with them."""
    create = site.plan.step("orders", StepName.CREATE_TABLE).statement("create")
    site.shards.query("order_db_0", with_suffix(create, "_whole"))
    ((_, shown),) = site.shards.query("order_db_0", "SHOW CREATE TABLE orders_whole")
    site.shards.query("order_db_0", "DROP TABLE orders_whole")
    return {str(shown).replace("_whole`", "`")}
