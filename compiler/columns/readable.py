"""Which source columns filters and derived columns may look at."""

from __future__ import annotations

from collections.abc import Iterable

from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.compiler.schema.name_findings import column_note
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.findings.span import Span
from shardwright.specs.spec.model import Spec


def check_readable(spec: Spec, source: SourceTable, names: Iterable[str], *, span: Span, findings: Findings) -> bool:
    """Whether all are readable; SW2143 for each that is not."""
    fine = True
    for name in sorted(names):
        column = source.column(name)
        reason = None
        if column is not None and column.generated:
            reason = "is generated"
        elif column is not None and column.type.name == "json" and spec.source.dialect == "mysql":
            reason = "is MySQL's JSON"
        if reason is not None:
            message = f"column '{name}' {reason}: it cannot be read here"
            findings.error("SW2143", message, span, notes=(column_note(source, name),))
            fine = False
    return fine
