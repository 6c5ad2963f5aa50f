"""What a table's settings promise, on real servers: the delete ceiling, ignored deletes, events of field groups."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.servers.testbed import Arena
from tests.support.commands import SMALL_CHUNKS
from tests.support.job import ENVIRONMENT, Job

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.long]

EXAMPLE = Path(__file__).with_name("policies")
SHARDS = ("quarter_0", "quarter_1")


class Town:
    def __init__(self, arena: Arena, folder: Path) -> None:
        self.arena = arena
        self.job = Job(arena, EXAMPLE, folder, settings=SMALL_CHUNKS)
        arena.source.run_script(EXAMPLE / "schema" / "town.sql", database="town")
        self.job.call("compile")

    def write(self, *statements: str) -> None:
        """One transaction at the source."""
        with self.arena.source.connect("town", autocommit=False) as connection, connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
            connection.commit()

    def on_shards(self, table: str, columns: str, *, split: bool = True) -> list[tuple[Any, ...]]:
        """The rows of a table on all shards, sorted."""
        suffixes = ("_0", "_1") if split else ("",)
        return sorted(
            row
            for shard in SHARDS
            for suffix in suffixes
            for row in self.arena.placement[shard].query(f"SELECT {columns} FROM `{table}{suffix}`", database=shard)
        )

    def events(self) -> list[tuple[Any, ...]]:
        """(group, key) of every event, in order of the key."""
        return self.on_shards("_sw_events_user", "sw_group, id", split=False)


@pytest.fixture
def town(arena: Arena, tmp_path: Path) -> Town:
    made = Town(arena, tmp_path)
    made.write(
        *(f"INSERT INTO cart VALUES ({id_}, {id_ % 4})" for id_ in range(40)),
        *(f"INSERT INTO log VALUES ({id_}, {id_ % 4}, 'first')" for id_ in range(20)),
        *(f"INSERT INTO user VALUES ({id_}, {id_ % 4}, 'n{id_}', 'FR', NULL)" for id_ in range(8)),
    )
    return made


def test_settings_hold(town: Town) -> None:
    town.job.run_until_caught_up()
    assert town.events() == [], "rows that are copied are no events"

    town.write(
        "DELETE FROM cart WHERE id < 10",
        "DELETE FROM log WHERE id < 15",  # more than the ceiling, but none of them is a delete on the shards
        "UPDATE log SET id = 100 WHERE id = 15",
        "UPDATE log SET place = place + 1 WHERE id = 16",
        "UPDATE user SET city = 'Lyon' WHERE id = 0",
        "UPDATE user SET name = 'other' WHERE id = 1",
        "UPDATE user SET name = 'swap' WHERE id = 2",
        "UPDATE user SET name = 'n2', country = NULL WHERE id = 3",
        "UPDATE user SET name = 'n3' WHERE id = 2",
        "UPDATE user SET city = 'Nice' WHERE id = 4",
        "UPDATE user SET city = NULL WHERE id = 4",
        "DELETE FROM user WHERE id = 5",
        "INSERT INTO user VALUES (9, 1, 'n9', NULL, NULL)",
    )
    town.job.run_until_caught_up()
    assert len(town.on_shards("cart", "id")) == 30
    logs = town.on_shards("log", "id, place")
    assert [row for row in logs if row[0] < 15] == [(id_, id_ % 4) for id_ in range(15)], (
        "ignored deletes were carried out"
    )
    assert [row for row in logs if row[0] in (15, 16, 100)] == [(16, 1), (100, 3)], (
        "a move or key change left something"
    )
    assert town.events() == [("address", 0), ("address", 3), ("address", 9)]

    town.write("DELETE FROM cart WHERE id < 25", "UPDATE user SET name = 'late' WHERE id = 6")
    town.job.call("run", "--env", ENVIRONMENT, "--until", "caught-up", expect=6)
    said = town.job.end_of_log()
    assert "SW6003" in said
    assert "15 rows of cart would be deleted, more than stop_above: 10" in said
    assert len(town.on_shards("cart", "id")) == 30, "the batch was applied"
    assert ("late",) not in town.on_shards("user", "name"), "a part of the batch was applied"

    town.job.call("run", "--env", ENVIRONMENT, "--until", "caught-up", "--allow", "SW6003")
    assert len(town.on_shards("cart", "id")) == 15
    assert ("late",) in town.on_shards("user", "name")
