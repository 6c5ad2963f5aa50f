"""What do the lookup tables of families say, over shards in memory? Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shardwright.compiler.plan.plan import FROM, ORPHANS, PART, SHARD, Plan
from shardwright.compiler.plan.table_parts import ParentLink
from shardwright.runtime.rehearsal.spec_tests.collect import Answer
from shardwright.runtime.rehearsal.spec_tests.resolved_case import PhysicalTable, TargetRow
from shardwright.runtime.rehearsal.spec_tests.shards import Shards, identity


def begin_lookup_tables(
    plan: Plan, shards: Shards, placed: Sequence[Answer], keyed: Sequence[tuple[str, Answer]]
) -> None:
    """Fills the lookup tables with what they say of the given parents. `placed` are given rows as their chunk places
    them, `keyed` those of children, with the child's name, as their chunk names their parents."""
    lookup_tables = plan.parents
    found = [(row["table"], row, [str(row["shard"]), str(row["part"])]) for row in placed]
    found += [(name, row, row["via"]) for name, row in keyed if len(row["via"]) == len(plan.table(name).via_columns)]
    for name, row, where in found:
        if name in lookup_tables:
            parent = plan.table(name)
            values = dict(zip((column.target for column in parent.columns), row["row"], strict=True))
            lookup_table = plan.table(lookup_tables[name])
            key = [values[part] for part in parent.key]
            if lookup_table.source_record is not None:
                key.append(lookup_table.source_record.of(row["source_table"]))
            shards.copy(_lookup_table(lookup_table.logical), [*key, *where], row["source_table"])


def rows_of(plan: Plan, shards: Shards, parent: Answer) -> Iterator[Answer]:
    """The rows of a parent that moves, at the place where it was. MOVED_SCHEMA."""
    child, start = plan.table(parent["table"]), parent["at_start"]
    place = PhysicalTable(child.logical, start["shard"], start["part"])
    of_parent = {name: value for name, value in parent.items() if name != "key"}
    for key, row in shards.rows.get(place, {}).items():
        if identity(row, child.via_columns) == tuple(parent["key"]):
            yield {**of_parent, "row": list(row.values()), "source_table": shards.owner(place, key)}


def look_up(plan: Plan, shards: Shards, link: ParentLink, row: Answer) -> Answer:
    left = shards.look_up(_lookup_table(link.excluded), row["key"]) is not None
    return {**place_of(plan, shards, link.places, row["via"]), "excluded": left}


def places_of(plan: Plan, shards: Shards, places: str, key: Sequence[str]) -> list[Answer]:
    """For each row of the lookup table that has the parent: its place, or that in the table above to which it leads.
    Where several source tables may have the parent, in the order of their names (`origin`). A key with a NULL in it is
    shorter, and no parent has it."""
    table = plan.table(places)
    rows = shards.rows.get(_lookup_table(places), {})
    asked = [row for row in rows.values() if identity(row, table.lookup_columns) == tuple(key)]
    if table.source_record is None:
        return [{**_leads_to(plan, shards, places, row), "origin": None} for row in asked]
    orphan = dict(zip(("shard", "part"), ORPHANS, strict=True))
    found = [(row[FROM] or "", _leads_to(plan, shards, places, row)) for row in asked]
    return [
        {**(orphan if place["shard"] is None else place), "origin": origin}
        for origin, place in sorted(found, key=lambda each: each[0])
    ]


def place_of(plan: Plan, shards: Shards, places: str, key: Sequence[str]) -> Answer:
    """Where the parent is; NULL where it is nowhere."""
    first = next(iter(places_of(plan, shards, places, key)), {})
    return {"shard": first.get("shard"), "part": first.get("part")}


def _leads_to(plan: Plan, shards: Shards, places: str, row: TargetRow) -> Answer:
    table = plan.table(places)
    if table.placement.parent is not None:
        return place_of(plan, shards, table.placement.parent.places, identity(row, table.via_columns) or ())
    return {"shard": int(row[SHARD] or 0), "part": int(row[PART] or 0)}


def _lookup_table(name: str) -> PhysicalTable:
    return PhysicalTable(name, *ORPHANS)
