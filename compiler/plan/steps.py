"""What do a begun migration's rows depend on, and which newer plan may it go on with?

Pure. The ledger keeps `plan_record` of the plan that a migration runs with, and a newer plan is compared with it.
`diff` asks the same of two compiled plans, so that a reviewer reads what a run will say.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import sqlglot
from sqlglot import exp

from shardwright.compiler.plan.digests import aspects, digest
from shardwright.compiler.plan.plain_data import as_data
from shardwright.compiler.plan.plan import Plan, StepName, TablePlan, lookup_stage_name
from shardwright.compiler.plan.table_parts import SourceColumn

_PLACES: Mapping[str, str] = {"layout": "other physical tables"}
"""What no copy of the table leads across: its old physical tables would keep their rows."""
SOURCE_COLUMNS = "columns of the source"
_SOURCES = "source tables"
_ROWS: Mapping[str, str] = {
    "sources": _SOURCES,
    "source_columns": SOURCE_COLUMNS,
    "columns": "columns",
    "generated": "generated columns",
    "key": "key",
    "place": "sharding rule",
    "parent": "parent",
    "where": "filter",
    "version": "version column",
    "deletes": "policy for deletes",
    "write": "way to write updates",
    "counted": "way to distinguish rows",
}
"""What decides which rows a table has, on which shard and with which values."""


_COMPARING = frozenset({StepName.VERIFY_SOURCE, StepName.VERIFY_TARGET})


@dataclass(frozen=True, slots=True)
class Steps:
    """What leads a begun migration from its plan to a newer one."""

    mended: tuple[str, ...] = ()
    """Tables with other SQL or settings. Their rows on the shards stay right."""
    added: tuple[str, ...] = ()
    """Tables that the newer plan has besides. They are copied beside the stream."""
    left_out: tuple[str, ...] = ()
    """Tables that the newer plan does not have. Nothing follows them any more."""
    more_sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Tables that have more source tables now, and which. These are copied beside the stream; the rows of the others
    stay right."""
    other_rows: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Tables with other rows, or rows in other places, and what is different. They have to be copied again."""
    impossible: tuple[str, ...] = ()
    """Why no step leads from one plan to the other, in words."""
    new_parents: tuple[str, ...] = ()
    """Tables that are parents in the newer plan only. Where their rows are is read from the source."""
    only_sql: bool = False
    """The spec's meaning is the same, and only the SQL is another: a newer release compiled it. What the older plan
    decided, the newer one may apply."""


def plan_record(plan: Plan) -> dict[str, Any]:
    """What is kept of a plan to compare a newer one with: plain data, the same for the same plan."""
    record = {
        "databases": plan.databases,
        "ledgers": plan.ledgers,
        "dialect": plan.dialect,
        "books": {table.logical: _lookup_record(plan, table) for table in plan.lookup_tables},
        "tables": {table.logical: _table(plan, table) for table in plan.tables},
    }
    found: dict[str, Any] = json.loads(json.dumps(record))
    return found


def tables_of_ours(recorded: Mapping[str, Any], logical: str) -> tuple[str, ...]:
    """The stage, and the other tables that each shard keeps beside the rows of a table."""
    return tuple(recorded["tables"][logical]["ours"])


def lookup_tables_that_go(recorded: Mapping[str, Any], plan: Plan) -> tuple[str, ...]:
    """The lookup tables of families that the plan does not have any more, with their stages."""
    return _with_stages(recorded["books"].keys() - {table.logical for table in plan.lookup_tables})


def lookup_tables_that_begin(recorded: Mapping[str, Any], plan: Plan) -> tuple[str, ...]:
    """Those that the migration did not have before, with their stages."""
    return _with_stages({table.logical for table in plan.lookup_tables} - recorded["books"].keys())


def _with_stages(lookup_tables: Iterable[str]) -> tuple[str, ...]:
    return tuple(each for name in sorted(lookup_tables) for each in (name, lookup_stage_name(name)))


def weights_in_use(recorded: Mapping[str, Any], plan: Plan, begun: Collection[int]) -> frozenset[int]:
    """The weights in `plan` of tables whose changes the stream already applies: it must go on with them, whatever
    their weight was. `begun` are the weights that have begun, beside the lightest one."""
    before = {name: int(table["weight"]) for name, table in recorded["tables"].items()}
    counted = {min(before.values()), *begun}
    return frozenset(table.weight for table in plan.tables if before.get(table.logical) in counted)


def columns_data(columns: Sequence[SourceColumn], renamed: Mapping[str, str] | None = None) -> list[Any]:
    """`renamed`: new names of columns, with those of before."""
    was = renamed or {}
    data: list[dict[str, Any]] = [json.loads(as_data(column)) for column in columns]
    return [item | {"was": was[item["name"]]} if item["name"] in was else item for item in data]


def steps_to(recorded: Mapping[str, Any], plan: Plan) -> Steps:
    """`recorded` is the `plan_record` of the plan that the migration runs with."""
    new = plan_record(plan)
    before, now = recorded["tables"], new["tables"]
    common = sorted(before.keys() & now.keys())
    other_rows = {name: tuple(_other(_ROWS, before[name], now[name])) for name in common}
    more_sources: dict[str, tuple[str, ...]] = {}
    for name in common:
        if other_rows[name] != (_SOURCES,) or now[name]["counted"]:
            continue
        if more := _more_sources(before[name], now[name], plan):
            more_sources[name], other_rows[name] = more, ()
    same = [name for name in common if not other_rows[name] and name not in more_sources]
    links = (link for name in now if (link := now[name]["parent"]))
    return Steps(
        mended=tuple(name for name in same if before[name]["aspects"] != now[name]["aspects"]),
        added=tuple(sorted(now.keys() - before.keys())),
        left_out=tuple(sorted(before.keys() - now.keys())),
        more_sources=more_sources,
        other_rows={name: found for name, found in other_rows.items() if found},
        impossible=(*_impossible(recorded, new, plan), *_other_sources(recorded, plan, other_rows)),
        new_parents=tuple(sorted({link["parent"] for link in links if link["places"] not in recorded["books"]})),
        only_sql=before.keys() == now.keys() and all(_has_other_sql_alone(before[n], now[n]) for n in common),
    )


def _more_sources(before: Mapping[str, Any], now: Mapping[str, Any], plan: Plan) -> tuple[str, ...]:
    """The source tables that come to those of before. Nothing where the rows that were copied do not stay right: the
    shards know a row's source table by its number, and one alone has no number. What a queue has of the new ones before
    the copy, and what the log of another server has, is not known."""
    known: list[str] = before["sources"]
    more: list[str] = now["sources"][len(known) :]
    databases = {name.partition(".")[0] for name in known}
    keeps_numbers = len(known) > 1 and now["sources"] == [*known, *more] and before["ours"] == now["ours"]
    is_followed = plan.stream.name == "binlog" and plan.direction.reads_source
    is_followed &= all(name.partition(".")[0] in databases for name in more)
    return tuple(more) if keeps_numbers and is_followed else ()


def _has_other_sql_alone(before: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    return {**before, "aspects": {**before["aspects"], "sql": ""}} == {**now, "aspects": {**now["aspects"], "sql": ""}}


def _impossible(recorded: Mapping[str, Any], new: Mapping[str, Any], plan: Plan) -> Iterator[str]:
    for what, words in (
        ("dialect", "the source is another kind of server"),
        ("databases", "the target databases are others"),
        ("ledgers", "the databases of the ledgers are others"),
    ):
        if recorded[what] != new[what]:
            yield words
    yield from _other_families(recorded, new)
    for name in sorted(recorded["tables"].keys() & new["tables"].keys()):
        before, now = recorded["tables"][name], new["tables"][name]
        for words in _other(_PLACES, before, now):
            yield f"table {name} has {words}"
    for name in sorted(new["tables"].keys() - recorded["tables"].keys()):
        if plan.stream.name != "binlog":
            yield f"table {name} is new, and its changes come from a queue: where they begin there is not known"
    if plan.direction.reads_shards and recorded["tables"].keys() != new["tables"].keys():
        yield "its tables are others, and changes go from the shards to the source now"


def _other_families(recorded: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """Children that are added, or copied again below another parent, bring lookup tables. These begin with them: none
    of their rows are on the shards then. Lookup tables that no child needs any more go."""
    before, now = recorded["books"], new["books"]
    stay = [name for name, table in new["tables"].items() if _parent_of(recorded, name) == table["parent"]]
    begin = _lookups(new["tables"], new["tables"].keys() - stay)
    needed = _lookups(recorded["tables"], stay)
    alike = all(_location_aspects(before[name]) == _location_aspects(now[name]) for name in before.keys() & now.keys())
    if not alike or now.keys() - before.keys() - begin or (before.keys() - now.keys()) & needed:
        yield "tables that are placed through a parent are others, or placed by another rule"


def _parent_of(recorded: Mapping[str, Any], name: str) -> object:
    """Other than any parent, and than none, where the table was not there."""
    return recorded["tables"].get(name, {}).get("parent", "new")


def _lookups(tables: Mapping[str, Any], names: Collection[str]) -> frozenset[str]:
    """The lookup tables that these children need."""
    links = (link for name in names if (link := tables[name]["parent"]))
    return frozenset(link[what] for link in links for what in ("places", "excluded"))


def _location_aspects(lookup_record: Mapping[str, str]) -> Mapping[str, str]:
    """Its source tables are compared as those of the parent."""
    return {aspect: digested for aspect, digested in lookup_record.items() if aspect != "source"}


def _other_sources(recorded: Mapping[str, Any], plan: Plan, other_rows: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Where rows of other source tables are, a lookup table that is there already does not know."""
    for name, places in sorted(plan.parents.items()):
        if places in recorded["books"] and _SOURCES in other_rows.get(name, ()):
            yield f"table {name} has other source tables, and rows of other tables are placed through its rows"


def _other(names: Mapping[str, str], before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    yield from (words for what, words in names.items() if before[what] != now[what])


def _lookup_record(plan: Plan, lookup_table: TablePlan) -> Mapping[str, str]:
    """Without the comparison: no row depends on it."""
    steps = (step for step in plan.steps if step.table == lookup_table.logical)
    return aspects(lookup_table, [step for step in steps if step.name not in _COMPARING])


def _table(plan: Plan, table: TablePlan) -> dict[str, Any]:
    columns = {column.target: json.loads(as_data(column)) for column in table.columns}
    for column in columns.values():
        del column["position"]  # others' columns move it
    return {
        "aspects": dict(plan.aspects[table.logical]),
        "sources": [str(source) for source in table.sources],
        "source_columns": columns_data(table.source.columns),
        "columns": columns,
        "generated": as_data(table.generated),
        "key": table.key,
        "place": _place(plan, table),
        "layout": [table.placement.kind, table.placement.only_database, digest(table.suffixes)],
        "parent": as_data(table.placement.parent),
        "where": table.source.where,
        "version": table.writes.version_column,
        "deletes": [table.deletes.policy, table.deletes.delay],
        "write": table.writes.kind,
        "weight": table.weight,
        "ours": table.bookkeeping_tables,
        "counted": table.identity.counts_rows,
        **({"into": _into(plan, table)} if plan.direction.writes_source else {}),
    }


def _into(plan: Plan, table: TablePlan) -> Sequence[str]:
    """The source's tables, for other migrations: a way back has names of its own for them."""
    return [f"{plan.databases[shard]}.{name}" for shard, _, name in plan.physical_tables(table)]


def tables_written_back(recorded: Mapping[str, Any]) -> frozenset[str]:
    """The tables, each with its database, that a recorded way back writes."""
    return frozenset(name for table in recorded["tables"].values() for name in table.get("into", ()))


def _place(plan: Plan, table: TablePlan) -> str:
    """The sharding rule as the decode step computes it: it names columns, whatever their order."""
    _, _, behind = plan.step(table.logical, StepName.DECODE).statement("decode").partition(" AS `before_place`,\n")
    return _on_one_line(behind.partition(" AS `after_place`\n")[0])


@lru_cache(maxsize=1_000)
def _on_one_line(place: str) -> str:
    """Nothing for the key of a parent. Many tables have the same rule, and to parse it takes milliseconds."""
    node = sqlglot.parse_one(place, dialect="spark")
    return node.sql("spark") if node.find(exp.Struct) else ""
