"""Advice as text for a terminal and as data for JSON. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from shardwright.compiler.advise.advice import Advice, JudgedDesign, OtherKey
from shardwright.compiler.advise.assess import Assessment
from shardwright.compiler.advise.design import Placement, Way
from shardwright.compiler.advise.source import LoggedWrites, SourceDatabase
from shardwright.compiler.advise.spread import GROWTH, heaviest_values, largest_part
from shardwright.compiler.advise.trap import Trap
from shardwright.compiler.conform.conformance import JudgedGroup
from shardwright.compiler.conform.verdict import Verdict
from shardwright.specs.findings.text_table import text_table

_SQL: Final = 90
"""Characters of a statement in a line."""
_BUSIEST: Final = 5
"""So many tables are named whose rows the server has seen changed most."""
_FEW: Final = 10
"""So many traps of a kind, and so many statements, are shown unless all are asked for."""
ALL_SHARDS: Final = (Verdict.SAME_ANSWER,)
LOCAL: Final = (Verdict.ONE_SHARD,)
COPIES: Final = (Verdict.BROADCAST_READ,)


def as_text(advice: Advice, chosen: JudgedDesign | None, *, everything: bool = False) -> str:
    """The ranking, then one design closely: `chosen`, else the best. `everything`: nothing is cut off."""
    lines = [*_head(advice), "", _show_ranking(advice)]
    shown = chosen or next(iter(advice.designs), None)
    if shown is None:
        lines += ["", "no key was found by which the tables can be placed"]
    else:
        lines += ["", *_design(advice, shown, everything=everything)]
    if advice.others:
        lines += ["", "Other keys:", *_others(advice.others)]
    return "\n".join(lines)


def _head(advice: Advice) -> Iterator[str]:
    source = advice.source
    rows = f", {sum(one.rows for one in source.statistics.values()):,} rows" if source.has_sizes else ""
    yield f"{source.name}: {len(source.tables):,} tables{rows}; {name_workload(advice)}; {advice.shards} shards"
    if source.has_row_counts:
        yield f"user_statistics: {_count_rows(source)}"
    if source.logged is not None:
        yield f"binary log of {name_log(source.logged)}"
    if not source.has_sizes:
        yield "The sizes of the tables are not known: --env or --statistics brings them."


def name_workload(advice: Advice) -> str:
    """What the calls are counted from."""
    source = advice.source
    if not advice.is_suggested:
        return f"{sum(one.calls for one in source.groups):,} calls of {len(source.groups):,} statements"
    if source.has_row_counts:
        return "no statements: the rows that the server has read and changed, by table and index, are taken as calls"
    return "no workload: each table is read by its key, and joined with what it refers to"


def _count_rows(source: SourceDatabase) -> str:
    known = {name: counts for name in source.tables if (counts := source.row_counts(name)) is not None}
    busiest = sorted((name for name in known if known[name].changed), key=lambda name: (-known[name].changed, name))
    text = ", ".join(f"{source.tables[name].name} {known[name].changed:,}" for name in busiest[:_BUSIEST])
    read, changed = (sum(getattr(one, part) for one in known.values()) for part in ("read", "changed"))
    return f"{read:,} rows read, {changed:,} changed" + (f"; most changed: {text}" if text else "")


def _show_ranking(advice: Advice) -> str:
    header = ("key", "one shard", "copies", "all shards", "to change", "busiest shard", "fullest shard")
    rows = [
        (
            name_key(advice, one),
            in_percent(one.assessment.share(*LOCAL)),
            in_percent(one.assessment.share(*COPIES)),
            in_percent(one.assessment.share(*ALL_SHARDS)),
            in_percent(one.assessment.change),
            in_percent(one.assessment.load),
            in_percent(one.assessment.largest),
        )
        for one in advice.designs
    ]
    return text_table(rows, header=header, right=range(1, len(header)))


def name_key(advice: Advice, design: JudgedDesign) -> str:
    """The key as the schema writes it."""
    key = design.key
    if key.table is None:
        return key.column
    return f"{advice.source.tables[key.table].name}.{advice.source.column(key.table, key.column).name}"


def _design(advice: Advice, design: JudgedDesign, *, everything: bool) -> Iterator[str]:
    assessment = design.assessment
    yield f"{name_key(advice, design)}:"
    for way in Way:
        placed = assessment.proposal.design.of_way(way)
        if placed:
            yield f"  {way} ({len(placed)}): " + ", ".join(_name_place(advice, one) for one in placed)
    for name, reason in advice.source.tables_that_stay(assessment.proposal.tables_left_out).items():
        yield f"  {name} stays at the source: {reason}"
    parts = [(shards, largest_part(assessment.proposal.design, advice.source, shards)) for shards in GROWTH]
    yield "  fullest shard: " + ", ".join(f"{in_percent(part)} of {shards}" for shards, part in parts)
    if crossing := name_crossing(advice, design):
        yield f"  binary log: {crossing}"
    heavy = heaviest_values(assessment.proposal.design, advice.source)
    if heavy:
        yield "  heaviest values: " + ", ".join(f"{value} ({in_percent(share)})" for value, share in heavy)
    yield "  traps:"
    yield from _traps(design.traps, everything=everything)


def name_log(logged: LoggedWrites) -> str:
    """How much of the binary log was read."""
    return f"{logged.seconds / 60:,.0f} minutes: {logged.transactions:,} transactions, {logged.rows:,} rows"


def name_crossing(advice: Advice, design: JudgedDesign) -> str:
    """How many transactions of the binary log have rows of several shards; empty where no log was read."""
    found = _transactions_with_key(advice, design)
    return "" if found is None else f"{found[1]:,} of {found[0]:,} transactions have several values of the key"


def _transactions_with_key(advice: Advice, design: JudgedDesign) -> tuple[int, int] | None:
    """Transactions of the binary log with the key, and those of them with several values of it."""
    return None if advice.source.logged is None else advice.source.logged.keys.get(design.key.name, (0, 0))


def _name_place(advice: Advice, placement: Placement) -> str:
    name = advice.source.tables[placement.table].name
    columns = ", ".join(advice.source.column_names(placement.table, placement.columns))
    return f"{name}.{columns}" if columns else name


def _traps(traps: Sequence[Trap], *, everything: bool) -> Iterator[str]:
    rows: list[tuple[str, str, str]] = []
    for kind in dict.fromkeys(trap.kind for trap in traps):
        found = [trap for trap in traps if trap.kind is kind]
        shown = found if everything else found[:_FEW]
        rows += [(str(kind), _about(trap), trap.text) for trap in shown]
        if len(shown) < len(found):
            rows.append((str(kind), f"... and {len(found) - len(shown)} more: --all", ""))
    yield text_table(rows, indent=4)


def _about(trap: Trap) -> str:
    if trap.statement:
        sql = trap.statement if len(trap.statement) <= _SQL else trap.statement[: _SQL - 3] + "..."
        return f"{trap.calls:,} calls: {sql}"
    return ".".join(part for part in (trap.table, trap.column) if part)


def _others(others: Sequence[OtherKey]) -> Iterator[str]:
    for one in others:
        kinds = ", ".join(dict.fromkeys(str(trap.kind) for trap in one.traps))
        yield f"  {one.key.name}: {one.reason}" + (f"; {kinds}" if kinds else "")


def in_percent(part: float) -> str:
    """A part of 1 in words."""
    return f"{part:.1%}".replace("%", " %")


# -- JSON --------------------------------------------------------------------------------------------------------------


def as_data(advice: Advice) -> dict[str, object]:
    """Everything, as JSON values."""
    source = advice.source
    return {
        "database": source.name,
        "shards": advice.shards,
        "tables": len(source.tables),
        "workload": {
            "suggested": advice.is_suggested,
            "from_row_counts": advice.is_suggested and source.has_row_counts,
            "statements": len(source.groups),
            "calls": sum(one.calls for one in source.groups),
        },
        "binary_log": None
        if source.logged is None
        else {
            "seconds": source.logged.seconds,
            "transactions": source.logged.transactions,
            "inserted": _by_name(source, source.logged.inserted),
            "updated": _by_name(source, source.logged.updated),
            "deleted": _by_name(source, source.logged.deleted),
        },
        "references": [
            {
                "table": source.tables[one.child].name,
                "columns": list(one.columns),
                "parent": source.tables[one.parent].name,
                "parent_columns": list(one.parent_columns),
                "ground": str(one.ground),
                "calls": one.calls,
            }
            for one in advice.references
        ],
        "designs": [_design_data(advice, one) for one in advice.designs],
        "others": [
            {"key": one.key.name, "reason": one.reason, "traps": [_trap_data(trap) for trap in one.traps]}
            for one in advice.others
        ],
    }


def _design_data(advice: Advice, design: JudgedDesign) -> dict[str, object]:
    assessment = design.assessment
    placements = assessment.proposal.design
    logged = _transactions_with_key(advice, design)
    return {
        "key": name_key(advice, design),
        "cost": round(assessment.cost, 4),
        "busiest_shard": round(assessment.load, 4),
        "to_change": round(assessment.change, 4),
        "fullest_shard": {str(number): round(largest_part(placements, advice.source, number), 4) for number in GROWTH},
        "heaviest_values": [[value, round(share, 4)] for value, share in heaviest_values(placements, advice.source)],
        "transactions_in_log": None if logged is None else {"with_key": logged[0], "several_values": logged[1]},
        "calls": _shares(assessment),
        "seconds": {str(verdict): round(took, 3) for verdict, took in assessment.seconds.items()},
        "placements": [_placement_data(advice, one) for one in placements.placements.values()],
        "stays": advice.source.tables_that_stay(assessment.proposal.tables_left_out),
        "traps": [_trap_data(trap) for trap in design.traps],
        "statements": [_statement_data(one) for one in assessment.judged],
    }


def _by_name(source: SourceDatabase, rows: Mapping[str, int]) -> dict[str, int]:
    return {source.tables[table].name: count for table, count in sorted(rows.items())}


def _shares(assessment: Assessment) -> dict[str, int]:
    return {str(verdict): assessment.calls[verdict] for verdict in Verdict if verdict in assessment.calls}


def _placement_data(advice: Advice, placement: Placement) -> dict[str, object]:
    table = advice.source.tables[placement.table]
    counts = advice.source.row_counts(placement.table)
    return {
        "table": table.name,
        "way": str(placement.way),
        "columns": advice.source.column_names(placement.table, placement.columns),
        "parent": None if placement.parent is None else advice.source.tables[placement.parent].name,
        "reason": placement.reason,
        "rows": advice.source.rows(placement.table) if advice.source.has_sizes else None,
        "calls": advice.source.usage.calls_of(placement.table),
        "writes": advice.source.usage.writes_of(placement.table),
        "rows_read": None if counts is None else counts.read,
        "rows_changed": None if counts is None else counts.changed,
    }


def _trap_data(trap: Trap) -> dict[str, object]:
    return {
        "kind": str(trap.kind),
        "table": trap.table or None,
        "column": trap.column or None,
        "statement": trap.statement or None,
        "calls": trap.calls,
        "text": trap.text,
    }


def _statement_data(one: JudgedGroup) -> dict[str, object]:
    return {
        "digest": one.group.digest,
        "sql": one.group.sql,
        "calls": one.group.calls,
        "seconds": one.group.seconds,
        "verdict": str(one.judgement.verdict),
        "reason": one.judgement.reason,
    }
