"""Staged batches on real shards, without Spark: the owners of rows from several sources, events, ceilings."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from shardwright.runtime.failures import Refused
from shardwright.runtime.stream.apply.ceiling import DeleteCeilings
from tests.e2e.staged_batches import END, HERE, START, Bench, bench_of_grid, notes
from tests.servers.testbed import Arena

pytestmark = pytest.mark.server


@pytest.fixture
def grid(arena: Arena, tmp_path: Path) -> Bench:
    return bench_of_grid(arena, tmp_path)


def test_a_source_deletes_only_what_came_from_it(grid: Bench) -> None:
    grid.batch("notes", [("upsert", 0, (1, "a")), ("upsert", 3, (2, "b"))])
    assert sorted(grid.ask("SELECT id, sw_source FROM _sw_owner_notes")) == [(1, 0), (2, 3)]
    grid.batch("notes", [("delete", 1, (1,)), ("delete", 3, (2,))])
    assert notes(grid) == [(1, "a")]
    assert grid.ask("SELECT id, sw_source FROM _sw_owner_notes") == [(1, 0)]


def test_a_row_that_goes_to_another_source_table_in_one_batch_stays(grid: Bench) -> None:
    grid.batch("notes", [("upsert", 0, (1, "a"))])
    grid.batch("notes", [("delete", 0, (1,)), ("upsert", 2, (1, "b"))])
    assert notes(grid) == [(1, "b")]
    assert grid.ask("SELECT id, sw_source FROM _sw_owner_notes") == [(1, 2)]


@pytest.mark.parametrize("batches", ["coming first", "going first", "coming with a change"])
def test_a_row_that_goes_over_several_batches_occurs_once(grid: Bench, batches: str) -> None:
    """The source holds the row in its new table only; the events come one after the other."""
    grid.source.query("INSERT INTO mall_1.notes_0 VALUES (1, 'b')")
    grid.batch("notes", [("upsert", 0, (1, "a"))])
    coming: tuple[str, int, Sequence[object]] = ("upsert", 2, (1, "b"))
    going: tuple[str, int, Sequence[object]] = ("delete", 0, (1,))
    if batches == "coming with a change":
        grid.batch("notes", [("upsert", 0, (1, "a2")), coming])
        grid.batch("notes", [going])
    else:
        for event in [coming, going] if batches == "coming first" else [going, coming]:
            grid.batch("notes", [event])
    assert notes(grid) == [(1, "b")]
    assert grid.ask("SELECT id, sw_source FROM _sw_owner_notes") == [(1, 2)]


def test_a_row_that_came_and_went_leaves_the_first_one_alone(grid: Bench) -> None:
    """The second source held the key for a moment that is over: the first one's row was never overwritten."""
    grid.source.query("INSERT INTO mall_0.notes_0 VALUES (1, 'a')")
    grid.batch("notes", [("upsert", 0, (1, "a"))])
    grid.batch("notes", [("upsert", 2, (1, "b"))])
    assert notes(grid) == [(1, "a")]
    grid.batch("notes", [("delete", 2, (1,))])
    assert notes(grid) == [(1, "a")]


@pytest.mark.in_turn
@pytest.mark.parametrize("together", [True, False])
def test_b11_a_key_in_two_source_tables_is_named_and_nothing_is_overwritten(grid: Bench, together: bool) -> None:
    grid.source.query("INSERT INTO mall_0.notes_0 VALUES (1, 'a')")
    grid.source.query("INSERT INTO mall_1.notes_1 VALUES (1, 'b')")
    first: tuple[str, int, Sequence[object]] = ("upsert", 0, (1, "a"))
    if not together:
        grid.batch("notes", [first])
    with pytest.raises(Refused, match=r"key \(1\) is in both mall_0\.notes_0 and mall_1\.notes_1") as refused:
        grid.batch("notes", [*([first] if together else []), ("upsert", 3, (1, "b"))])
    assert refused.value.code == "SW6004"
    assert notes(grid) == ([] if together else [(1, "a")])


def test_b11_a_row_on_its_way_to_another_source_table_is_waited_for(grid: Bench) -> None:
    """The application inserts it there first, and deletes it here a moment later."""
    grid.source.query("INSERT INTO mall_0.notes_0 VALUES (1, 'a')")
    grid.batch("notes", [("upsert", 0, (1, "a"))])
    grid.source.query("INSERT INTO mall_1.notes_1 VALUES (1, 'b')")
    gone = threading.Timer(1.0, grid.source.query, ("DELETE FROM mall_0.notes_0 WHERE id = 1",))
    gone.start()
    try:
        grid.batch("notes", [("upsert", 3, (1, "b"))])
    finally:
        gone.join()
    assert notes(grid) == [(1, "b")]
    grid.batch("notes", [("delete", 0, (1,))])
    assert notes(grid) == [(1, "b")]


def test_events_of_a_field_group(arena: Arena, tmp_path: Path) -> None:
    town = Bench(arena, tmp_path, "policies")

    def events() -> list[tuple[Any, ...]]:
        found = town.ask("SELECT sw_group, id, sw_batch FROM _sw_events_user ORDER BY sw_batch, id")
        town.ask("DELETE FROM _sw_events_user")
        return found

    columns = [column.target for column in town.plan.table("user").columns]
    assert columns == ["id", "place", "name", "country", "town"]
    town.batch("user", [("upsert", 0, (number, 0, f"n{number}", "FR", None)) for number in range(4)])
    assert events() == [("address", number, 1) for number in range(4)]
    town.batch(
        "user",
        [
            ("upsert", 0, (0, 0, "n1", "FR", "Lyon")),  # 0 and 1 exchange their names
            ("upsert", 0, (1, 0, "n0", "FR", None)),
            ("upsert", 0, (2, 0, "n2", None, None)),
            ("upsert", 0, (3, 0, "n9", "FR", None)),
            ("upsert", 0, (4, 0, "n3", "FR", None)),  # a name that another row of the batch gives up
        ],
    )
    assert events() == [("address", number, 2) for number in (0, 2, 4)]
    town.batch("user", [("delete", 0, (2,))])
    assert events() == []


def test_a_row_that_waits_makes_one_event(arena: Arena, tmp_path: Path) -> None:
    """It takes the name of a row that leaves the table: set aside as late, written once."""
    town = Bench(arena, tmp_path, "policies")
    town.batch("user", [("upsert", 0, (1, 0, "taken", "FR", None))])
    town.batch("user", [("upsert", 0, (2, 0, "taken", "FR", None)), ("move_out", 0, (1, 0))])
    assert town.ask("SELECT id, name FROM user_0") == [(2, "taken")]
    assert town.ask("SELECT id FROM _sw_events_user WHERE sw_batch = 2") == [(2,)]


def test_the_delete_ceiling(arena: Arena, tmp_path: Path) -> None:
    town = Bench(arena, tmp_path, "policies")
    ceilings = DeleteCeilings(town.plan, town.servers)
    work = {0: {"cart": {"delete": {"0": 6, "1": 4}}}, 1: {"user": {"delete": {"0": 10}, "upsert": {"0": 99}}}}
    ceilings.check(work, start=START, end=END)
    work[1]["cart"] = {"delete": {"1": 1}}
    with pytest.raises(
        Refused, match=r"11 rows of cart would be deleted, more than stop_above: 10\. Nothing"
    ) as refused:
        ceilings.check(work, start=START, end=END)
    assert refused.value.code == "SW6003"
    ceilings.allowed.add("SW6003")
    ceilings.check(work, start=START, end=END)
    assert ceilings.used == [
        f"the stream from {START} to {END}: 11 rows of cart would be deleted, more than stop_above: 10"
    ]
    with pytest.raises(Refused, match="SW6003"):
        ceilings.check(work, start=START, end=END)


def test_a_ceiling_in_per_cent_counts_what_is_there(arena: Arena, tmp_path: Path) -> None:
    from dataclasses import replace

    town = Bench(arena, tmp_path, "policies")
    arena.source.run_script(HERE / "policies" / "schema" / "town.sql", database="town")
    town.batch("cart", [("upsert", 0, (number, 0)) for number in range(40)])
    tables = tuple(replace(table, deletes=replace(table.deletes, stop_above="5%")) for table in town.plan.tables)
    ceilings = DeleteCeilings(replace(town.plan, tables=tables), town.servers)
    ceilings.check({0: {"cart": {"delete": {"0": 2}}}}, start=START, end=END)
    with pytest.raises(Refused, match="3 of about 40 rows of cart"):
        ceilings.check({0: {"cart": {"delete": {"0": 3}}}}, start=START, end=END)
