"""Generated columns of a stage. Where a unique key of the target is over generated columns, the stage computes them as
the target does: no row brings them, and rows with one value are compared before any of them is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sqlglot import exp

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.sql.named_columns import columns_in
from shardwright.compiler.steps.bookkeeping import text_constraints


def define_stage_columns(
    table: TablePlan, create: exp.Create, *, types: Mapping[str, ColumnType]
) -> tuple[exp.ColumnDef, ...]:
    """`create` makes the target; `types` are those of the columns that it computes."""
    unique = {name.lower() for key in table.identity.every_unique_key for name in key.columns}
    wanted = unique - {column.target.lower() for column in table.columns}
    if not wanted:
        return ()
    definitions = [part for part in create.this.expressions if isinstance(part, exp.ColumnDef)]
    computed = {
        definition.name.lower(): part.kind
        for definition in definitions
        for part in definition.args.get("constraints") or ()
        if isinstance(part.kind, exp.ComputedColumnConstraint)
    }
    needed = {each for name in wanted for each in _with_read(name, computed)}
    return tuple(
        _virtual(each, computed[each.name.lower()], types[each.name])
        for each in definitions
        if each.name.lower() in needed
    )


def _with_read(name: str, computed: Mapping[str, exp.Expr]) -> Iterator[str]:
    if name in computed:
        yield name
        for read in columns_in(computed[name]):
            yield from _with_read(read.name.lower(), computed)


def _virtual(definition: exp.ColumnDef, computed: exp.Expr, kind: ColumnType) -> exp.ColumnDef:
    """It may be NULL: a stage holds rows to delete, too, of which only the key is there."""
    made = exp.ComputedColumnConstraint(this=computed.this.copy(), persisted=False)
    return exp.ColumnDef(
        this=exp.to_identifier(definition.name, quoted=True),
        kind=definition.kind,
        constraints=[*text_constraints(kind), exp.ColumnConstraint(kind=made)],
    )
