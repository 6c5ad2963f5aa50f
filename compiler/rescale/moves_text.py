"""Where the rows of the shards go, as a person and as a program read it. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from shardwright.compiler.build import CompiledPlan
from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.compiler.rescale.moves import Moves, Place, moves

MOST_LINES = 32
"""With more old tables than that, a line is about a database."""


@dataclass(frozen=True, slots=True)
class Group:
    """Tables whose rows move alike."""

    tables: tuple[TablePlan, ...]
    moves: Moves


def groups(compiled: CompiledPlan) -> tuple[Group, ...]:
    """Of a plan whose source is spread by rules that it knows: tables that both rules place, in the plan's order."""
    backward = compiled.backward
    alike: list[tuple[list[TablePlan], Moves]] = []
    known: dict[tuple[object, ...], Moves] = {}
    for table in compiled.plan.tables:
        new, old = compiled.functions.get(table.logical), backward and backward.functions.get(table.logical)
        if new is None or not old or table.identity.origin is not None:  # nothing of such a row says where it was
            continue
        names = old.columns() | new.columns()
        read = tuple(Column(c.name, c.type, c.nullable) for c in table.source.columns if c.name in names)
        if (found := known.get((old, new, read))) is None:
            found = known[old, new, read] = moves(old, new, read)
        same = next((tables for tables, other in alike if other == found), None)
        if same is None:
            alike.append(([table], found))
        else:
            same.append(table)
    return tuple(Group(tuple(tables), found) for tables, found in alike)


def with_moves(compiled: CompiledPlan) -> Plan:
    """The plan; where its source is spread by known rules, its summary says which rows move."""
    plan = compiled.plan
    return replace(plan, moves=tuple(as_text(plan, groups(compiled)).splitlines()))


def as_text(plan: Plan, found: Sequence[Group]) -> str:
    """Empty where nothing is known of the old places."""
    return "".join(f"{line}\n" for group in found for line in _lines(plan, group))


def as_json(plan: Plan, found: Sequence[Group]) -> list[dict[str, object]]:
    return [
        {
            "tables": [table.logical for table in group.tables],
            "exact": not group.moves.sampled,
            "sampled_keys": group.moves.sampled,
            "flows": [
                {
                    "from": dict(zip(("database", "suffix"), _old(group.tables[0], old), strict=True)),
                    "to": dict(zip(("database", "suffix"), _new(plan, group.tables[0], new), strict=True)),
                    "share": round(float(share), 9),
                }
                for (old, new), share in group.moves.shares.items()
            ],
        }
        for group in found
    ]


def _lines(plan: Plan, group: Group) -> Iterator[str]:
    table, shares = group.tables[0], group.moves.shares
    names = ", ".join(each.logical for each in group.tables)
    how = f"a sample of {group.moves.sampled:,} keys" if group.moves.sampled else "exact, by remainders"
    yield f"{names} ({how}):"
    whole = len({old for old, _ in shares}) > MOST_LINES
    flows: dict[str, dict[str, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    for (old, new), share in shares.items():
        flows[_place_name(_old(table, old), whole)][_place_name(_new(plan, table, new), whole)] += share
    for place, parts in flows.items():
        evenly = len(parts) > 1 and len(set(parts.values())) == 1
        if evenly and len(parts) == len(plan.databases) * (1 if whole else len(table.suffixes)):
            kind = "databases" if whole else "tables"
            yield f"  {place} -> all {len(parts)} {kind} {percent(1 / Fraction(len(parts)))} each"
        else:
            yield f"  {place} -> {_parts(parts)}"
    yield f"  {_summary(shares)}"


def _parts(parts: Mapping[str, Fraction]) -> str:
    total = sum(parts.values())
    by_share: dict[str, list[str]] = defaultdict(list)
    for place, share in parts.items():
        by_share[percent(share / total)].append(place)
    return "; ".join(
        f"{', '.join(places)} {share}{' each' if len(places) > 1 else ''}" for share, places in by_share.items()
    )


def _summary(shares: Mapping[tuple[Place, Place], Fraction]) -> str:
    stays = sum((share for (old, new), share in shares.items() if old == new), Fraction())
    database = sum((share for (old, new), share in shares.items() if old[0] == new[0]), Fraction())
    return (
        f"of all rows, {percent(stays)} keep the numbers of their database and table, {percent(database - stays)} get "
        f"another table, {percent(1 - database)} another database"
    )


def percent(share: Fraction) -> str:
    return f"{float(share) * 100:.4g} %"


def _place_name(place: tuple[str, str], whole: bool) -> str:
    database, suffix = place
    return database if whole or not suffix else f"{database}/{suffix}"


def _old(table: TablePlan, place: Place) -> tuple[str, str]:
    """Database, and what follows the logical name in the table's name."""
    name = table.source.tables[place[1]]
    return table.source.databases[place[0]], name.removeprefix(table.logical)


def _new(plan: Plan, table: TablePlan, place: Place) -> tuple[str, str]:
    return plan.databases[place[0]], table.suffixes[place[1]]
