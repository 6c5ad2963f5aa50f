"""Which newer plan a running migration may go on with: one that differs by no more than a recorded DDL statement of the
source explains. Everything else decides about rows that stand already."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import sqlglot
from sqlglot import exp

from shardwright.compiler.plan.plain_data import as_data
from shardwright.compiler.plan.plan import Plan, SourceColumn, StepName, TablePlan

_KEPT_ASPECTS = ("keys", "sharding", "settings")
_SAME_ASPECTS = ("source", "columns", "sql", *_KEPT_ASPECTS)


def plan_record(plan: Plan) -> dict[str, Any]:
    """What is kept of a plan to hold a newer one against: plain data, the same for the same plan."""
    return {
        "databases": list(plan.databases),
        "dialect": plan.dialect,
        "books": {table.logical: dict(plan.aspects[table.logical]) for table in plan.lookup_tables},
        "tables": {table.logical: _table(plan, table) for table in plan.tables},
    }


def columns_data(columns: Sequence[SourceColumn], renamed: Mapping[str, str] | None = None) -> list[Any]:
    """`renamed`: new names of columns, with those of before."""
    was = renamed or {}
    data: list[dict[str, Any]] = [json.loads(as_data(column)) for column in columns]
    return [item | {"was": was[item["name"]]} if item["name"] in was else item for item in data]


def unexplained(
    recorded: Mapping[str, Any], plan: Plan, *, logical: str, columns_after: list[Any] | None
) -> Iterator[str]:
    """What `plan` has otherwise than the recorded one, beyond the columns of `logical` that the source's change gave
    and took; `columns_after` are all of the source table's since, None when they are not known."""
    new = plan_record(plan)
    for what in ("databases", "dialect", "books"):
        if recorded[what] != new[what]:
            yield f"its {what} are others"
    for name in sorted(recorded["tables"].keys() ^ new["tables"].keys()):
        yield f"table {name} is {'gone' if name in recorded['tables'] else 'new'}"
    for name in sorted(recorded["tables"].keys() & new["tables"].keys()):
        before, now = recorded["tables"][name], new["tables"][name]
        if name != logical:
            differing = [what for what in _SAME_ASPECTS if before["aspects"].get(what) != now["aspects"].get(what)]
            if differing:
                yield f"table {name} has other {', '.join(differing)}"
        else:
            yield from _of_changed(before, now, name, columns_after)


def _of_changed(
    before: Mapping[str, Any], now: Mapping[str, Any], name: str, columns_after: list[Any] | None
) -> Iterator[str]:
    differing = [what for what in _KEPT_ASPECTS if before["aspects"].get(what) != now["aspects"].get(what)]
    if differing:
        yield f"table {name} has other {', '.join(differing)}"
    if (before["sources"], before["place"]) != (now["sources"], now["place"]):
        yield f"table {name} has other source tables or another sharding rule"
    names_before: dict[str, str] = {column["name"]: column["was"] for column in columns_after or () if "was" in column}
    columns_after = columns_after and [{k: v for k, v in item.items() if k != "was"} for item in columns_after]
    if columns_after is not None and now["source_columns"] != columns_after:
        yield (
            f"table {name}: its columns in the schema file are not those after the change "
            f"({_first(now, columns_after)})"
        )
    sources_before = {column["name"]: column for column in before["source_columns"]}
    sources_now = {column["name"]: column for column in now["source_columns"]}
    changed = {
        source
        for source in sources_before.keys() | sources_now.keys()
        if sources_before.get(source) != sources_now.get(source)
    }
    for target in sorted(before["columns"].keys() | now["columns"].keys()):
        old, new = before["columns"].get(target), now["columns"].get(target)
        source = (new or old)["source"]
        if old != new and source not in changed:
            yield f"table {name}: target column {target} is another one, and the source's was not changed"
    yield from _of_renamed(before["columns"], now["columns"], name, names_before)


def _of_renamed(
    before: Mapping[str, Any], now: Mapping[str, Any], name: str, names_before: Mapping[str, str]
) -> Iterator[str]:
    """A column that only has another name at the source is copied as before, to the same column or to one of the new
    name."""
    was, then = ({item["source"]: item for item in columns.values()} for columns in (before, now))
    for new, old in names_before.items():
        found = was.get(old)
        wanted = [found | {"source": new, "target": target} for target in (found["target"], new)] if found else [None]
        if then.get(new) not in wanted:
            yield f"table {name}: column {new} is not copied as {old} was, which only has another name now"


def _first(now: Mapping[str, Any], columns_after: list[Any]) -> str:
    found = {column["name"]: column for column in now["source_columns"]}
    wanted = {column["name"]: column for column in columns_after}
    for column in wanted:
        if column not in found:
            return f"{column} is missing"
        if found[column] != wanted[column]:
            return f"{column} is another type"
    extra = [column for column in found if column not in wanted]
    return f"{extra[0]} is too many" if extra else "the order is another"


def _table(plan: Plan, table: TablePlan) -> dict[str, Any]:
    columns = {column.target: json.loads(as_data(column)) for column in table.columns}
    for column in columns.values():
        del column["position"]  # others' columns move it
    return {
        "aspects": dict(plan.aspects[table.logical]),
        "sources": [str(source) for source in table.sources],
        "source_columns": columns_data(table.source_columns),
        "columns": columns,
        "place": _place(plan, table),
    }


def _place(plan: Plan, table: TablePlan) -> str:
    """The sharding rule as the decode step computes it: it names columns, whatever their order."""
    decode = sqlglot.parse_one(plan.step(table.logical, StepName.DECODE).statement("decode"), dialect="spark")
    placed = [alias.this for alias in decode.find_all(exp.Alias) if alias.alias == "after_place"]
    return "; ".join(sorted(node.sql("spark") for node in placed if node.find(exp.Struct)))
