"""Families whose tables come from databases on two servers: nothing orders the two logs, and rows go from one server to
the other, their parents on either (C5, D13, B11, H6).
"""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.two_servers import move_source
from tests.families.merged_driver import COUPONS, CUSTOMERS, IDS, LINES, ORDERS, MergedLab
from tests.families.repairing import carry, mismatches_in, repair, verify
from tests.servers.testbed import Arena, Server
from tests.support.commands import wait_for
from tests.support.lab import SUFFIXES
from tests.support.ledger_state import LedgerState

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.long]

KEYS = {"customer": "id", "coupon": "id", "orders": "code", "line": "order_code, number"}


class TwoServersLab(MergedLab):
    """`lab` is on the arena's source, `depot` on a server of its own."""

    def __init__(self, arena: Arena, folder: Path, second: Server) -> None:
        super().__init__(arena, folder)
        self.second = second
        move_source(self.job, "depot", second, folder / "secrets")
        second.run_script(self.example / "schema" / "lab.sql", database="depot")
        arena.source.query("DROP DATABASE depot")

    def of(self, table: str) -> Server:
        return self.second if table.startswith("depot.") else self.arena.source

    def write(self, *statements: str) -> None:
        """One transaction on each server, one after the other."""
        for server, some in groupby(statements, lambda text: self.second if re.search(r"\bdepot\.", text) else None):
            with (server or self.arena.source).connect(autocommit=False) as connection, connection.cursor() as cursor:
                for statement in some:
                    cursor.execute(statement)
                connection.commit()

    def ledger_state(self) -> LedgerState:
        """Nothing: the position has two parts."""
        return LedgerState()

    def rows(self, tables: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
        for table in tables:
            yield from self.of(table).query(f"SELECT * FROM {table}")

    def differences(self) -> list[str]:
        """Of all rows of both servers, put together here."""
        place = {id_: at for id_, at, _ in self.rows(CUSTOMERS)}
        of_order = {code: place.get(customer, 0) for code, customer, _ in self.rows(ORDERS)}
        wanted = {("customer", at, id_, at, note) for id_, at, note in self.rows(CUSTOMERS)}
        wanted |= {("coupon", at, id_, at, note) for id_, at, note in self.rows(COUPONS)}
        wanted |= {("orders", of_order[row[0]], *row) for row in self.rows(ORDERS)}
        folded = {code.lower(): at for code, at in of_order.items()}
        wanted |= {("line", folded.get(row[0].lower(), 0), *row) for row in self.rows(LINES)}
        found = [
            (table, at, *row)
            for at in range(4)
            for table in ("customer", "coupon", "orders", "line")
            for row in self.at(at, f"SELECT * FROM {table}{SUFFIXES[at // 2]}")
        ]
        assert len(found) == len(set(found)), "a row is there twice"
        return sorted(map(repr, wanted ^ set(found)))

    def until_equal(self, run: subprocess.Popen[bytes]) -> None:
        try:
            self.until(run, "all rows are in their places", lambda: not self.differences())
        except AssertionError as error:
            error.add_note("\n".join(self.differences()))
            raise

    def happens(self, dice: random.Random) -> None:
        tables = dice.choice((CUSTOMERS, COUPONS, ORDERS, LINES))
        match dice.randrange(4):
            case 0:
                self.write(
                    f"UPDATE {dice.choice(CUSTOMERS)} SET place = (place + 1) % 4 WHERE id % 5 = {dice.randrange(5)}"
                )
            case 1:
                order = f"code = 'o{dice.randrange(3 * IDS)}'"
                self.write(f"UPDATE {dice.choice(ORDERS)} SET customer_id = {dice.randrange(IDS + 2)} WHERE {order}")
            case 2:
                self.write(f"UPDATE {dice.choice(tables)} SET note = '{dice.random()}' LIMIT 2")
            case _:
                source, other = dice.sample(tables, 2)
                self.goes(source, other, dice)

    def goes(self, source: str, other: str, dice: random.Random) -> None:
        """A row, to another table. For a moment it is in both of them, or in none."""
        keys = KEYS[re.sub(r"_[ab]$", "", source.partition(".")[2])].split(", ")
        rows = self.of(source).query(f"SELECT * FROM {source}")
        if not rows:
            return
        row = dice.choice(rows)
        where = " AND ".join(f"{key} = '{value}'" for key, value in zip(keys, row, strict=False))
        values = ", ".join("NULL" if value is None else f"'{value}'" for value in row)
        steps = [f"INSERT INTO {other} VALUES ({values})", f"DELETE FROM {source} WHERE {where}"]
        self.write(*(steps if dice.random() < 0.5 else steps[::-1]))


def _lab(source: Server, targets: tuple[Server, ...], folder: Path) -> TwoServersLab:
    for server in (source, *targets):
        server.make_empty()
    lab = TwoServersLab(Arena(source, targets[:1], folder), folder, targets[1])
    lab.fill_merged()
    return lab


@pytest.mark.slow
def test_h6_c5_a_row_that_goes_to_the_other_server_behind_its_repair_is_kept(
    source_server: Server, target_servers: tuple[Server, ...], tmp_path: Path
) -> None:
    """The one server's log has a greater number than the other's: places in two logs have no order."""
    lab = _lab(source_server, target_servers, tmp_path)
    for _ in range(5):
        lab.arena.source.query("FLUSH BINARY LOGS")
    lab.write("INSERT INTO lab.coupon VALUES (100, 2, '')")
    lab.finish()
    lab.at(2, "UPDATE coupon_1 SET note = 'planted' WHERE id = 100")
    result = verify(lab, code=1)
    assert mismatches_in(result) == {("coupon", "100")}
    killed = repair(lab, result, "--run", failpoints="before-dead-letters-read=kill")
    assert killed.code == -9, killed
    lab.gates.hold("after-dead-letter-answered")
    with lab.run() as run:
        lab.reach(run, "after-dead-letter-answered")
        lab.write("INSERT INTO depot.coupon VALUES (100, 2, 'here now')", "DELETE FROM lab.coupon WHERE id = 100")
        lab.gates.open_all()
        lab.until_equal(run)
    lab.finish()
    assert not lab.differences()


@pytest.mark.long
def test_b11_d13_h6_rows_of_two_servers_follow_the_topmost_row_and_are_repaired(
    source_server: Server, target_servers: tuple[Server, ...], tmp_path: Path, dice: random.Random
) -> None:
    """Copied under writes, killed, resumed; then faults of every kind, and rows that go while they are read again."""
    lab = _lab(source_server, target_servers, tmp_path)
    with lab.run(gated=False) as run:
        for _ in range(40):
            lab.happens(dice)
        wait_for(lab.job, run, "the snapshot is complete", lambda reported: bool(reported["snapshot_complete"]))
        for _ in range(40):
            lab.happens(dice)
    _continue(lab, dice)
    places = {id_: at for id_, at, _ in lab.rows(CUSTOMERS)}
    one, other, third, *_ = places
    lab.at(places[one], f"DELETE FROM customer{SUFFIXES[places[one] // 2]} WHERE id = {one}")
    carry(lab, "customer", f"id = {other}", start=places[other], end=(places[other] + 1) % 4)
    lab.at(0, f"DELETE FROM _sw_place_customer WHERE id = {third}")
    lab.at(0, "UPDATE _sw_owner_coupon SET sw_source = 1 - sw_source")
    for at in range(4):
        lab.at(at, f"UPDATE coupon{SUFFIXES[at // 2]} SET note = 'planted' WHERE id < 6")
    result = verify(lab, code=1)
    assert {("customer", str(one)), ("customer", str(other))} < mismatches_in(result)
    killed = repair(lab, result, "--run", "--delete-extra", failpoints="before-dead-letters-read=kill")
    assert killed.code == -9, killed
    _continue(lab, dice)


def _continue(lab: TwoServersLab, dice: random.Random) -> None:
    with lab.run(gated=False) as run:
        for _ in range(40):
            lab.happens(dice)
        lab.until_equal(run)
    lab.finish()
    assert not lab.differences()
    verify(lab, code=0)
