"""`where:` of a table: which rows of the source move. NULL is no match, as in SQL. Also: which source columns filters
and derived columns may read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlglot import exp

from shardwright.compiler.columns.literal_default import canonical_literal
from shardwright.compiler.columns.mapping import Texts, python_row, spark_columns
from shardwright.compiler.expressions.comparable import any_column
from shardwright.compiler.expressions.conditions import BooleanExpression, IsNull, Junction, Not
from shardwright.compiler.expressions.families import literals_in_comparisons
from shardwright.compiler.expressions.parse import parse_expression
from shardwright.compiler.expressions.read_sql import SqlSource
from shardwright.compiler.plan.catalogue import Column, ColumnType, SourceTable
from shardwright.compiler.schema.names import column_note, table_note
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.sql_text import PLACEHOLDER
from shardwright.specs.findings.diagnostics import Findings, Span
from shardwright.specs.spec.model import Spec


def check_readable(spec: Spec, source: SourceTable, names: Iterable[str], *, span: Span, findings: Findings) -> bool:
    """Whether all are readable; SW2143 for each that is not. The log has the values of stored generated columns."""
    fine = True
    for name in sorted(names):
        column = source.column(name)
        if column is None or not column.generated:
            continue
        if spec.source.stream.name != "binlog":
            what, hint = "is generated, and a queue's messages need not hold it", "write its expression here"
        elif not column.stored:
            what, hint = "is generated and VIRTUAL: no row holds it", "write its expression here, or make it STORED"
        else:
            continue
        message = f"column '{name}' {what}: it cannot be read here"
        findings.error("SW2143", message, span, hint=hint, notes=(column_note(source, name),))
        fine = False
    return fine


WHAT = "a row filter"


@dataclass(frozen=True, slots=True)
class RowFilter:
    """`types` are those of the columns it reads; `names` what these are called in MySQL, where that is not their own
    name."""

    text: str
    condition: BooleanExpression
    types: Mapping[str, ColumnType]
    names: Mapping[str, str] = field(default_factory=dict)

    def spark(self, image: str) -> exp.Expr:
        """TRUE, FALSE or NULL over the struct `image`."""
        return self.condition.spark(spark_columns(image, self.types))

    def mysql(self) -> exp.Expr:
        """Over the source's own columns."""
        return self.condition.mysql(lambda name: sql.column(self.names.get(name, name)))

    def python(self, row: Texts) -> bool:
        wanted = {name: self.types[name] for name in self.condition.columns()}
        return self.condition.evaluate(python_row(row, wanted)) is True

    def literals(self) -> Mapping[str, tuple[str, ...]]:
        """The values that each column is compared with, as its canonical texts: where rows begin and cease to match."""
        found: dict[str, dict[str, None]] = {}
        for columns, value in literals_in_comparisons(self.condition):
            for name in columns:
                text = canonical_literal(value, Column(name, self.types[name], True))
                if text is not None:
                    found.setdefault(name, {})[text] = None
        return {name: tuple(texts) for name, texts in found.items()}

    def reads(self) -> frozenset[str]:
        return self.condition.columns()


def with_values(row_filter: RowFilter | None, columns: Sequence[Column]) -> RowFilter:
    """The rows that the filter lets through and that have a value in each of `columns`, which are one or more."""
    have = [Not(IsNull(any_column(column))) for column in columns]
    parts = (row_filter.condition, *have) if row_filter is not None else (*have,)
    condition = Junction("and", parts) if len(parts) > 1 else parts[0]
    earlier = row_filter or RowFilter("", condition, {})
    return replace(earlier, condition=condition, types={**earlier.types, **{one.name: one.type for one in columns}})


def read_filter(spec: Spec, text: str, source: SourceTable, *, span: Span, findings: Findings) -> RowFilter | None:
    """None after an error."""
    if PLACEHOLDER in text:
        findings.error("SW2116", f"the row filter of '{source.name}' holds '{PLACEHOLDER}'", span)
        return None
    columns = {column.name: column for column in source.columns}
    condition = SqlSource(text, span, WHAT)
    made = parse_expression(
        condition, columns=columns, findings=findings, leaf=any_column, columns_from=table_note(source)
    )
    if made is None:
        return None
    if not isinstance(made, BooleanExpression):
        hint = "compare it with something: x = 1, x IS NOT NULL"
        findings.error("SW3050", f"'{text}' is no condition", span, hint=hint)
        return None
    if not made.columns():
        findings.error("SW3056", f"the row filter of '{source.name}' reads no column: it keeps all rows or none", span)
        return None
    if not check_readable(spec, source, made.columns(), span=span, findings=findings):
        return None
    return RowFilter(text, made, {name: columns[name].type for name in made.columns()})
