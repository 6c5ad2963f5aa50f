"""What do the lookup tables of families say, over shards in memory? Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shardwright.compiler.plan.plan import ORPHANS, PART, SHARD, ParentLink, Plan
from shardwright.runtime.rehearsal.spec_tests.collect import Answer
from shardwright.runtime.rehearsal.spec_tests.shards import Shards, identity
from shardwright.runtime.rehearsal.spec_tests.story import PhysicalTable


def begin_lookup_tables(
    plan: Plan, shards: Shards, placed: Sequence[Answer], keyed: Sequence[tuple[str, Answer]]
) -> None:
    """Fills the lookup tables with what they say of the given parents. `placed` are given rows as their chunk places
    them, `keyed` those of children, with the child's name, as their chunk names their parents."""
    lookup_tables = {child.parent.parent: child.parent.places for child in plan.children if child.parent}
    found = [(row["table"], row, [str(row["shard"]), str(row["part"])]) for row in placed]
    found += [(name, row, row["via"]) for name, row in keyed if len(row["via"]) == len(plan.table(name).via_columns)]
    for name, row, where in found:
        if name in lookup_tables:
            parent = plan.table(name)
            values = dict(zip((column.target for column in parent.columns), row["row"], strict=True))
            shards.copy(_lookup_table(lookup_tables[name]), [*(values[part] for part in parent.key), *where])


def rows_of(plan: Plan, shards: Shards, parent: Answer) -> Iterator[Answer]:
    """The rows of a parent that moves, at the place where it was. MOVED_SCHEMA."""
    child, start = plan.table(parent["table"]), parent["at_start"]
    place = PhysicalTable(child.logical, start["shard"], start["part"])
    of_parent = {name: value for name, value in parent.items() if name != "key"}
    for row in shards.rows.get(place, {}).values():
        if identity(row, child.via_columns) == tuple(parent["key"]):
            yield {**of_parent, "row": list(row.values())}


def found(plan: Plan, shards: Shards, link: ParentLink, row: Answer) -> Answer:
    left = shards.found(_lookup_table(link.excluded), row["key"]) is not None
    return {**place_of(plan, shards, link.places, row["via"]), "excluded": left}


def place_of(plan: Plan, shards: Shards, places: str, key: Sequence[str]) -> Answer:
    """The place in the lookup table, or in the one above to which it leads. A key with a NULL in it is shorter, and no
    parent has it."""
    row, table = shards.found(_lookup_table(places), key), plan.table(places)
    if row is not None and table.parent is not None:
        return place_of(plan, shards, table.parent.places, identity(row, table.via_columns) or ())
    return {
        "shard": None if row is None else int(row[SHARD] or 0),
        "part": None if row is None else int(row[PART] or 0),
    }


def _lookup_table(name: str) -> PhysicalTable:
    return PhysicalTable(name, *ORPHANS)
