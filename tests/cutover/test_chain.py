"""A family in which a parent has a parent is cut over to the shards, and back, and for good."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cutover.lab import CutoverLab
from tests.families.chain_driver import IDS, ChainLab
from tests.servers.testbed import Arena
from tests.support.lab import SUFFIXES

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.long]


class ChainCutover(ChainLab, CutoverLab):
    """`begin` first."""

    _created = False

    def create_source(self) -> None:
        """A chain is created with its lab, and `begin` asks for it once more."""
        if not self._created:
            super().create_source()
        self._created = True

    def fill(self, rows: Mapping[int, int], *, lines: int = 2) -> None:
        self.fill_chain()

    def carry_over(self, where: Mapping[str, str], *, start: int, end: int) -> None:
        """As an application moves rows between two places of the shards. `where`: by table."""
        for table, condition in where.items():
            rows = self.at(start, f"SELECT * FROM {table}{SUFFIXES[start // 2]} WHERE {condition}")
            if table == "customer":
                rows = [(id_, end, note) for id_, _, note in rows]
            values = ", ".join(str(row) for row in rows)
            self.on(end, f"INSERT INTO {table}{SUFFIXES[end // 2]} VALUES {values}")
            self.on(start, f"DELETE FROM {table}{SUFFIXES[start // 2]} WHERE {condition}")


def test_h8_d13_a_chain_there_and_back_and_there_for_good(arena: Arena, tmp_path: Path) -> None:
    """What applications do to parents on the shards counts for what comes by the source's log after the rollback."""
    lab = ChainCutover(arena, tmp_path)
    lab.begin()
    with lab.run(gated=False) as run:
        lab.write("UPDATE customer SET place = (place + 1) % 4 WHERE id IN (1, 2)")
        lab.drain_forward(run)
        lab.require_placed()
        lab.verify()
        lab.cutover()
        assert lab.status()["writes_to"] == "shards"
        _on_the_shards(lab)
        lab.drain(run)
        lab.require_placed()
        lab.expect_kill("rollback", failpoints="after-lookup-table-filled=kill")
        lab.cutover("rollback")
        assert lab.status()["writes_to"] == "source"
        lab.require_lookup_tables()
        lab.write("INSERT INTO line VALUES ('n1', 2, ''), ('o6', 901, '')", "INSERT INTO orders VALUES ('n2', 50, '')")
        lab.write("INSERT INTO line VALUES ('n2', 1, ''), ('o5', 902, '')", "UPDATE orders SET note = 'x'")
        lab.write("UPDATE customer SET place = (place + 1) % 4 WHERE id IN (1, 50)")
        lab.drain_forward(run)
        lab.require_placed()
        lab.require_lookup_tables()
        lab.verify()
        lab.cutover()
        lab.on(3, "UPDATE orders_1 SET note = 'on the shards'")
        lab.drain(run)
        lab.require_placed()
    lab.cutover("finish")


def _on_the_shards(lab: ChainCutover) -> None:
    """A customer moves with all that is below, one comes, one goes; an order gets another customer."""
    of_1 = ", ".join(f"'o{n}'" for n in range(3 * IDS) if n % (IDS + 2) == 1)
    of_5 = ", ".join(f"'o{n}'" for n in range(3 * IDS) if n % (IDS + 2) == 5)
    below = {"customer": "id = 1", "orders": f"code IN ({of_1})", "line": f"order_code IN ({of_1})"}
    lab.carry_over(below, start=2, end=1)
    lab.on(
        3,
        "INSERT INTO customer_1 VALUES (50, 3, '')",
        "INSERT INTO orders_1 VALUES ('n1', 50, '')",
        "INSERT INTO line_1 VALUES ('n1', 1, '')",
    )
    lab.on(
        1,
        "DELETE FROM customer_0 WHERE id = 5",
        f"DELETE FROM orders_0 WHERE code IN ({of_5})",
        f"DELETE FROM line_0 WHERE order_code IN ({of_5})",
    )
    lab.on(2, "UPDATE orders_1 SET customer_id = 3 WHERE code = 'o6'")
    lab.carry_over({"orders": "code = 'o6'", "line": "order_code = 'o6'"}, start=2, end=3)
