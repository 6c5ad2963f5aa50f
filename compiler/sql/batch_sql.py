"""The statements of step 29-batch for one table: each placeholder takes the table's own statement. Pure; used by the
runtime and by tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from shardwright.compiler.plan.plan import EVERY_TABLE, Plan, StepName, TablePlan
from shardwright.compiler.sql.sql_text import spark_text

_PLACEHOLDER: Final = re.compile(r"`\$\{(\w+)\}`")


def batch_sql(
    plan: Plan,
    name: str,
    logical: str = EVERY_TABLE,
    *,
    held: bool = False,
    route: str = "",
    snapshot_open: bool = False,
) -> str:
    """Statement `name` for table `logical`, if it has to do with one. `held`: decode leaves out the events of
    quarantined keys, which view `dead_keys` has. `route`: the lookup table whose route counts, instead of the table's
    own; of quarantined keys it leaves out only what is older than the row that was read again."""

    def part(placeholder: re.Match[str]) -> str:
        match placeholder[1]:
            case "decode" if held:
                return f"({batch_sql(plan, 'admitted_places' if route else 'admitted', logical)})"
            case "decode":
                return f"({plan.step(logical, StepName.DECODE).statement('decode')})"
            case "merge":
                return f"({plan.step(logical, StepName.MERGE).statement('merge')})"
            case "route":
                return f"({plan.step(route or logical, StepName.ROUTE).statement('route')})"
            case "filter":
                return f"({_filter_sql(plan)})"
            case "logical":
                return spark_text(logical)
            case "recorded":
                return _keeps_decisions(plan)
            case "snapshot_open":
                return str(snapshot_open).upper()
            case other:
                raise KeyError(f"step {StepName.BATCH} has no placeholder {other}")

    return _PLACEHOLDER.sub(part, plan.step(EVERY_TABLE, StepName.BATCH).statement(name))


def _keeps_decisions(plan: Plan) -> str:
    """Whether decisions come with their reasons, and those to skip a change, too."""
    return str(plan.flight_recorder > 0).upper()


def _filter_sql(plan: Plan) -> str:
    return plan.step(EVERY_TABLE, StepName.FILTER).statement("filter")


def merge_packed_sql(plan: Plan, logicals: Iterable[str], *, snapshot_open: bool) -> str:
    """The changes of several tables (`merges_packed`) decided by one merge."""
    return _of_packed(plan, "together", logicals, snapshot_open=snapshot_open)


def route_packed_sql(plan: Plan, logicals: Iterable[str]) -> str:
    """The changes of several tables (`routes_packed`) merged and routed, before the shards are asked."""
    return _of_packed(plan, "routed_together", logicals)


def new_rows_sql(plan: Plan, logicals: Iterable[str]) -> str:
    """The changes of tables (`inserts_packed`) of which every event inserts a row."""
    return _of_packed(plan, "new_rows", logicals)


def _of_packed(plan: Plan, name: str, logicals: Iterable[str], *, snapshot_open: bool = False) -> str:
    forms: dict[str, list[TablePlan]] = {}
    for logical in logicals:
        forms.setdefault(plan.step(logical, StepName.ROUTE).statement("packed"), []).append(plan.table(logical))
    packed = union_all(_of_tables(text, tables) for text, tables in forms.items())
    parts = {
        "packed": f"({packed})",
        "snapshot_open": str(snapshot_open).upper(),
        "recorded": _keeps_decisions(plan),
        "filter": f"({_filter_sql(plan)})",
    }
    text = plan.step(EVERY_TABLE, StepName.BATCH).statement(name)
    return _PLACEHOLDER.sub(lambda placeholder: parts[placeholder[1]], text)


def _of_tables(packed: str, tables: Iterable[TablePlan]) -> str:
    """One branch for tables of one form. The first placeholder is that of the source tables' names: texts of the spec
    come behind it."""
    names = {"sources": [str(source) for table in tables for source in table.sources]}
    names["source_tables"] = list(dict.fromkeys(name for table in tables for name in table.source.tables))
    return _PLACEHOLDER.sub(lambda found: ", ".join(map(spark_text, names[found[1]])), packed, count=1)


def tables_alike(plan: Plan) -> Mapping[str, tuple[str, ...]]:
    """By table that merges together with others: the tables of its form, which one branch of a query reads."""
    forms: dict[tuple[str, bool], list[str]] = {}
    for table in plan.target_tables:
        name = table.logical
        if merges_packed(plan, name) or routes_packed(plan, name):
            packed = plan.step(name, StepName.ROUTE).statement("packed")
            forms.setdefault((packed, table.asks_shards), []).append(name)
    return {logical: tuple(names) for names in forms.values() for logical in names}


def merges_packed(plan: Plan, logical: str) -> bool:
    """Whether the table's changes may be decided together with other tables'."""
    return inserts_packed(plan, logical) and not plan.table(logical).asks_shards


def inserts_packed(plan: Plan, logical: str) -> bool:
    """Whether rows that the source inserts into the table may be read together with other tables'."""
    return plan.step(logical, StepName.ROUTE).has("packed") and plan.table(logical).own is None


def routes_packed(plan: Plan, logical: str) -> bool:
    """On the way back: whether the table's changes may be merged and routed together with other tables'."""
    return plan.step(logical, StepName.ROUTE).has("packed") and plan.table(logical).own is not None


def union_all(queries: Iterable[str]) -> str:
    """Several tables' queries as one: Spark would analyse each DataFrame made in between again, which costs more than
    running a small batch."""
    return "\nUNION ALL\n".join(f"({query})" for query in queries)
