"""The PARTITION BY of a target table whose spec keeps that of the source: the same clause, under the target's names."""

from __future__ import annotations

from collections.abc import Iterable

from shardwright.compiler.columns.mapping import MappedColumn
from shardwright.compiler.ddl.target.columns import Projection
from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.compiler.sql.partitions import read_partitions
from shardwright.compiler.sql.word_reader import NotRead
from shardwright.specs.findings.diagnostics import Findings

_HINT = "say `partitions: drop`"


def target_partitions(
    projection: Projection,
    columns: Iterable[MappedColumn],
    *,
    unique: Iterable[frozenset[str]],
    findings: Findings,
) -> str | None:
    """`unique` are the keys of the target. None, and a finding, where the target cannot have the clause."""
    source = projection.source
    try:
        read = read_partitions(source.partitions, lambda name: projection.names.get(name.lower(), name))
    except NotRead as word:
        message = f"table '{source.name}': its PARTITION BY is not understood: '{word}'"
        findings.error("SW4115", message, source.span, hint=_HINT)
        return None
    names = source.primary_key if read.by_key else ()
    used = dict.fromkeys(name.lower() for name in (*read.columns, *names))
    changed = {item.column.source.lower() for item in columns if item.column.mapping != "copied"}
    before = len(findings.items)
    for name in used:
        if name not in projection.names or name in changed:
            why = "has in another form (cast or masked)" if name in changed else "does not have"
            message = (
                f"table '{source.name}': its rows are partitioned by column '{_spelt(source, name)}', "
                f"which the target {why}"
            )
            findings.error("SW4113", message, source.span, hint=_HINT)
    if findings.stopped_since(before):
        return None
    wanted = {projection.names[name].lower() for name in used}
    for key in unique:
        if missing := wanted - {name.lower() for name in key}:
            message = (
                f"table '{source.name}': its rows are partitioned by {', '.join(sorted(missing))}, and the target's "
                f"key ({', '.join(sorted(key))}) is without"
            )
            findings.error("SW4114", message, source.span, hint=_HINT)
            return None
    if read.left_out:
        message = f"table '{source.name}': left out of the target: {', '.join(read.left_out)}"
        findings.warning("SW4108", message, source.span)
    return read.text


def _spelt(source: SourceTable, name: str) -> str:
    column = source.column(name)
    return column.name if column is not None else name
