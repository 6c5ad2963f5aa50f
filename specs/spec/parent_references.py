"""What a table says about the parent that places its rows."""

from __future__ import annotations

from shardwright.specs.findings.diagnostics import Diagnostic, Note
from shardwright.specs.findings.wording import did_you_mean
from shardwright.specs.spec.model import Sharded, Spec
from shardwright.specs.spec.reference_finding import Found


def parents_exist(spec: Spec) -> Found:
    """The parent that lends its shard key is a table of the spec."""
    logical = {table.to or table.table for table in spec.tables}
    for table in spec.tables:
        match table.distribution:
            case Sharded(parent=parent) if parent is not None and parent.parent not in logical:
                path = (*table.path, "sharding", "shard_key", "parent")
                message = f"there is no table '{parent.parent}' in this spec"
                hint = did_you_mean(parent.parent, logical)
                yield path, Diagnostic("SW2007", message, spec.span_of(path), hint=hint)
            case _:
                pass


def parents_have_a_place(spec: Spec) -> Found:
    """The parent is another table, sharded by the same rule through columns of its own."""
    tables = {table.to or table.table: table for table in spec.tables}
    for table in spec.tables:
        mine = table.distribution
        if not isinstance(mine, Sharded) or mine.parent is None:
            continue
        parent, path = tables.get(mine.parent.parent), (*table.path, "sharding", "shard_key", "parent")
        if parent is None:
            continue
        name, theirs = mine.parent.parent, parent.distribution
        note = Note("the parent stands at", spec.span_of((*parent.path, "table")))
        if parent is table:
            message, hint = f"table '{name}' is its own parent", "name the table whose row has the shard key"
            yield path, Diagnostic("SW2051", message, spec.span_of(path), hint=hint)
        elif not isinstance(theirs, Sharded) or theirs.rule != mine.rule:
            has = f"is sharded by '{theirs.rule}'" if isinstance(theirs, Sharded) else "is not sharded"
            message = f"parent '{name}' {has}, not by '{mine.rule}'"
            hint = "parent and child stand side by side only under one rule"
            yield path, Diagnostic("SW2053", message, spec.span_of(path), hint=hint, notes=(note,))
        elif theirs.parent is not None:
            message = f"parent '{name}' is itself placed through a parent, '{theirs.parent.parent}'"
            hint = "only one level is supported yet: copy the shard key into one of the two tables"
            yield path, Diagnostic("SW2052", message, spec.span_of(path), hint=hint, notes=(note,))
