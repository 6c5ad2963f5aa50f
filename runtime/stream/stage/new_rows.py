"""New rows that go in place while their batch is staged, in the same transaction, instead of being staged and inserted from there: that is
half of a shard's work for them. `placeable` says where that is possible.

LOAD DATA takes all rows or says what it left out (a warning, or a count that differs); then nothing of the transaction stays, the share is
staged as ever, and the plan's guarded statements decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import TablePlan
from shardwright.runtime.ledger.stage_rows import INSERT, Share, stretches
from shardwright.runtime.mysql.load_data import load_rows
from shardwright.runtime.mysql.load_lines import one_array, render_lines


class NotPlaced(Exception):
    """Some of the rows stand there already, or the table does not take them as they are."""


def without_new(share: Share) -> tuple[pa.Table, Share]:
    """The rows that are new, as far as the batch knows, and the rest of the share."""
    new = pc.fill_null(pc.equal(share.whole.column("decision"), INSERT), False)
    if pc.all(new).as_py():
        return share.whole, replace(share, whole=share.whole.slice(0, 0))
    return share.whole.filter(new), replace(share, whole=share.whole.filter(pc.invert(new)))


def place_rows(connection: Connection[Any], table: TablePlan, suffixes: Sequence[str], rows: pa.Table) -> None:
    """`rows` are in the order of their parts, which are indexes of `suffixes`. Raises NotPlaced; the transaction is to be rolled back."""
    columns = [column.target for column in table.columns]
    for part, some in stretches(rows, rows.column("part")):
        payload = render_lines([], one_array(some.column("row")))
        try:
            load_rows(
                connection, table.logical + suffixes[part], columns, hexadecimal=table.byte_columns, payload=payload
            )
        except (pymysql.err.DataError, pymysql.err.IntegrityError) as error:
            raise NotPlaced(str(error)) from error
