"""Comparing source and shards inside the servers: count and sum of row hashes per key range and bucket of keys, the
keys of some buckets, and one row for display.

Ranges reach from @sw_low_1, @sw_low_2, ... (exclusive) to @sw_high_1, ... (inclusive); @sw_no_low or @sw_no_high
leaves an end open. The variables hold keys as the statements print them.
"""

from __future__ import annotations

from sqlglot import exp

from shardwright.compiler.columns.row_mapping import RowMapping
from shardwright.compiler.plan.plan import Statement, Step, StepName, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill
from shardwright.compiler.steps.keys import Side
from shardwright.compiler.steps.snapshot import add_row_filter
from shardwright.compiler.steps.verify_statements import (
    Place,
    bucket,
    count,
    display_row,
    hash_column,
    key_range,
    keys_of,
    locate_row,
    name_part,
    row_hash,
    rows_in_list,
    split,
    table_to_read,
    values_of,
    write_part,
)

RANGE_ROWS = 20_000
"""Rows between two boundaries. LIMIT takes no variables, so they are fixed."""

_THERE = "hole_range AND hole_shard <=> @sw_shard"
_SUM = """
SELECT hole_bucket AS sw_bucket, COUNT(*) AS sw_rows, SUM(hole_hash) AS sw_hash
FROM hole_table WHERE hole_range GROUP BY sw_bucket
"""
_SUM_AND_MISPLACED = _SUM.replace("AS sw_hash", "AS sw_hash, hole_misplaced AS sw_misplaced")
# A row without a place (its expression is NULL) is as misplaced as one in the wrong table.
_ELSEWHERE = "NOT (hole_database <=> @sw_shard AND hole_part <=> @sw_part)"


def verify_source(table: TablePlan, mapping: RowMapping | None = None, *, place: Place | None = None) -> Step:
    """For `${source_database}`.`${source_table}`: run once for each source table and added up. Its rows are compared as
    the mapping makes them, and only those that the filter lets through. With `place`, over the source's columns, also
    the rows of one database by themselves, and where one row belongs."""
    shown = [hash_column()]
    parts = _common_parts(table, "source", mapping)
    statements = [
        Statement(
            "sum",
            "Rows of a key range, by buckets of keys: how many, and the sum of their hashes.",
            _sum(table, "source", range=add_row_filter(mapping, name_part("range"))),
        ),
        count(table, "source", mapping),
        Statement("split", f"Where the next {RANGE_ROWS} rows end.", split(table, RANGE_ROWS)),
        Statement(
            "keys",
            "The rows of some buckets of a range by key and hash.",
            keys_of(table, "source", mapping, shown, which=name_part("range")),
        ),
        Statement("given", "As `keys`, of rows that are asked for.", rows_in_list(table, "source", mapping, shown)),
        Statement("row", "One row for display: key in @sw_key_1, ...", display_row(table, "source", mapping)),
    ]
    if place is not None:
        there = fill(_THERE, "mysql", range=name_part("range"), shard=name_part("shard"))
        parts += (write_part("shard", "The database, from 0, where the row belongs.", place[0]),)
        statements += [
            Statement(
                "place",
                "Where a row belongs: database and table, from 0; key in @sw_key_1, ...",
                locate_row(table, place),
            ),
            Statement(
                "sum_of_shard",
                "As `sum`, of rows that belong to database @sw_shard.",
                _sum(table, "source", range=add_row_filter(mapping, there)),
            ),
            Statement(
                "keys_of_shard", "As `keys`, of those rows.", keys_of(table, "source", mapping, shown, which=there)
            ),
        ]
    return Step(table.logical, StepName.VERIFY_SOURCE, tuple(statements), parts)


def _common_parts(table: TablePlan, side: Side, mapping: RowMapping | None) -> tuple[Statement, ...]:
    return (
        write_part("hash", "The row as one number.", row_hash(table, values_of(side, mapping))),
        write_part("range", "The row's key is in the range.", key_range(table, side)),
        write_part("bucket", "The bucket that follows from the row's key.", bucket(table, side)),
    )


def _sum(table: TablePlan, side: Side, *, range: exp.Expr, misplaced: exp.Expr | None = None) -> str:
    tree = fill(
        _SUM if misplaced is None else _SUM_AND_MISPLACED,
        "mysql",
        bucket=name_part("bucket"),
        hash=name_part("hash"),
        **({} if misplaced is None else {"misplaced": misplaced}),
        table=table_to_read(table, side),
        range=range,
    )
    return sql.to_sql(tree, "mysql")


def elsewhere_than(place: Place) -> exp.Expr:
    """The row does not belong to table @sw_part of database @sw_shard."""
    return fill(_ELSEWHERE, "mysql", database=place[0], part=place[1])


def verify_target(table: TablePlan, *, misplaced: exp.Expr | None, of: RowMapping | None = None) -> Step:
    """For one physical table. Rows that meet the condition `misplaced` are counted: a row that was moved as it is
    changes no sum. Without it (broadcast, single) no row is misplaced; where MySQL cannot compute the place, the answer
    is NULL: not known. Only rows are compared that the filter of `of` lets through."""
    parts = _common_parts(table, "target", None)
    elsewhere = added = sql.number(0) if table.placement.no_mysql is None else exp.Null()
    if misplaced is not None:
        parts += (write_part("misplaced", "The row belongs to another table.", misplaced),)
        elsewhere = name_part("misplaced")
        added = fill("SUM(hole_it)", "mysql", it=elsewhere)
    comment = "As at the source, and how many rows belong to another table."
    if table.placement.no_mysql is not None:
        comment = (
            f"As at the source. Misplaced rows are not looked for: MySQL cannot compute {table.placement.no_mysql}."
        )
    shown = [hash_column(), sql.alias(elsewhere, "sw_misplaced")]
    return Step(
        table.logical,
        StepName.VERIFY_TARGET,
        (
            Statement(
                "sum", comment, _sum(table, "target", range=add_row_filter(of, name_part("range")), misplaced=added)
            ),
            count(table, "target", of),
            Statement(
                "keys",
                "The rows of some buckets of a range by key and hash.",
                keys_of(table, "target", of, shown, which=name_part("range")),
            ),
            Statement("given", "As `keys`, of rows that are asked for.", rows_in_list(table, "target", of, shown)),
            Statement("row", "One row for display: key in @sw_key_1, ...", display_row(table, "target", None)),
        ),
        parts,
    )
