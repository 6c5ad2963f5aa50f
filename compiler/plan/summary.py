"""`summary.md` of a plan: each table in words, for whoever reads a plan before its SQL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from shardwright.compiler.plan.plan import Plan, TablePlan


def plan_summary(plan: Plan) -> str:
    """Markdown, ending in a line break. What could not be brought back is listed for every table that loses
    something."""
    tables = f"{len(plan.tables)} table{'s' if len(plan.tables) != 1 else ''}"
    if plan.direction == "backward":
        lines = [f"# Backward plan {plan.fingerprint} of {plan.migration}, for plan {plan.turns_round}", ""]
        lines += [f"{tables} back to {few(plan.databases)}, lower weights first.", ""]
    else:
        lines = [f"# Plan {plan.fingerprint} of {plan.migration}", ""]
        lines += [f"{tables} onto {few(plan.databases)}, lower weights first.", *_way_back(plan), ""]
    if plan.stream_ddl.policy == "apply":
        lines += [
            "Changes of a source table's definition are brought to the targets at their position in the stream.",
            "",
        ]
    if plan.moves:
        lines += ["## Which rows move", "", "```text", *plan.moves, "```", ""]
    for table in sorted(plan.tables, key=lambda each: (each.weight, each.logical)):
        lines += [f"## {table.logical}", "", *(f"* {line}" for line in _facts(plan, table)), ""]
        if plan.direction == "backward":
            lines += [*_columns_back(table), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _way_back(plan: Plan) -> Iterator[str]:
    lost = [f"{table.logical}.{way.column}" if way.column else table.logical
            for table in plan.tables for way in table.way_back if way.closes]  # fmt: skip
    if lost:
        yield f"**There is no way back**, because of {few(lost)}: see there."
    else:
        yield "The way back is in folder `backward`."


def _columns_back(table: TablePlan) -> Iterator[str]:
    """Every source column with its verdict."""
    yield "| column of the source | from the shards | verdict |"
    yield "|---|---|---|"
    back = [(column.target, column.source, "lossless", column.mapping) for column in table.columns]
    kept = [(way.column or "rows", "", way.verdict, way.why) for way in table.way_back]
    for name, source, verdict, why in (*back, *kept):
        words = verdict if why == "copied" else f"{verdict}: {why}"
        yield f"| {_plain(name)} | {_plain(source)} | {_plain(words).replace('|', chr(92) + '|')} |"


def spread_words(plan: Plan, table: TablePlan) -> str:
    """ "by user_id onto 4 databases of 4 tables"."""
    if table.distribution == "single":
        assert table.database is not None
        return f"whole in {plan.databases[table.database]}"
    if table.distribution == "broadcast":
        return "a copy in every database"
    tables = len(plan.parts(table))
    key = f"{table.parent.parent} through {', '.join(table.parent.via)}" if table.parent else ", ".join(table.shard_key)
    return f"by {key} onto {len(plan.databases)} databases of {tables} tables"


def few(names: Iterable[str]) -> str:
    """The first and the last of many names, with their number."""
    listed = [name or "(none)" for name in names]
    return ", ".join(listed) if len(listed) <= 4 else f"{listed[0]} .. {listed[-1]} ({len(listed)})"


_EXISTING = {
    "keep": "rows that the target has when the migration begins are kept",
    "replace": "**rows that the target has when the migration begins are removed**",
}


_PARTITIONS = {
    "keep": "the target's tables are partitioned as the source's is",
    "drop": "the source's table is partitioned, the target's tables are not",
}


def _facts(plan: Plan, table: TablePlan) -> Iterator[str]:
    yield f"from {few(str(source) for source in table.sources)}, {spread_words(plan, table)}"
    yield f"row key ({', '.join(table.key)}), weight {table.weight}, deletes: {_deletes(table)}"
    if table.version_column:
        yield f"rows that others wrote are guarded by {table.version_column}"
    if (existing := plan.existing_rows.get(table.logical)) is not None:
        yield _EXISTING[existing]
    if deferred := plan.deferred_indexes.get(table.logical):
        yield f"indexes that are built after the copy: {', '.join(deferred)}"
    if table.partitions is not None and plan.direction == "forward":
        yield _PARTITIONS[table.partitions]
    if table.write == "changed":
        yield "an update writes only the columns that changed, field groups whole"
    if table.where:
        yield f"only rows where {_plain(table.where)}"
    if table.event_groups:
        groups = "; ".join(f"{group.name} ({', '.join(group.columns)})" for group in table.event_groups)
        yield f"changes of these groups make events: {groups}"
    for ids in plan.ids:
        if ids.table == table.logical:
            yield f"the next {ids.column} comes from {_plain(ids.words)}; a cutover leaves out {ids.margin:,} numbers"
    if plan.direction == "backward":
        if table.logical in plan.drops_triggers:
            yield "a cutover drops the triggers of the source's tables, and a rollback creates them again"
        return
    for column in table.columns:
        if column.source not in ("", column.target):
            yield f"column {column.target}: {column.source} at the source"
        if column.mapping != "copied":
            yield f"column {column.target}: {_plain(column.mapping)}"
    for way in table.way_back:
        verdict = way.verdict if not way.closes else f"**{way.verdict}**"
        yield f"on the way back {verdict}: {way.column or 'rows'}: {_plain(way.why)}"
    if table.no_mysql_place:
        yield f"`verify` does not look for misplaced rows: {table.no_mysql_place}"


def _deletes(table: TablePlan) -> str:
    delay = "" if table.delete_delay is None else f" {table.delete_delay} s"
    return table.delete_policy + delay + (f", at most {table.stop_above} a batch" if table.stop_above else "")


def _plain(text: str) -> str:
    """Text as it is, on one line, none of it read as markup."""
    return "".join(f"\\{sign}" if sign in "\\`*<>[]" else sign for sign in " ".join(text.split()))
