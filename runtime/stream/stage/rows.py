"""Which rows does one task stage, by shard, and which have to be read again first? And which new rows go directly into
their tables in the same transaction, instead of being staged and inserted from there?

Runs in Spark tasks; writes to one shard, in its own transaction.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.plan import TablePlan
from shardwright.runtime.ledger.stage_rows import Share, shares, stretches
from shardwright.runtime.ledger.stage_summary import (
    DELETE_IF_GONE,
    INSERT,
    REREAD,
    TO_LOOK_FOR,
    TO_REREAD,
    Summary,
    add_counts,
)
from shardwright.runtime.mysql.load_data import load_later, load_rows
from shardwright.runtime.mysql.load_lines import one_array, render_lines
from shardwright.runtime.mysql.rows_database import row_table
from shardwright.runtime.mysql.spill import Piece


class TaskRows:
    """The rows of one task. `summaries` has their numbers for each shard. One piece stays in memory, sorted. Several
    pieces are read and sorted again for each shard."""

    def __init__(self, pieces: Sequence[Piece], tables: Mapping[str, TablePlan]) -> None:
        self._pieces = pieces
        self._tables = tables
        self._only = dict(shares(pieces[0](), tables)) if len(pieces) == 1 else None
        found: dict[int, Summary] = {}
        for shard, share in self._all():
            add_counts(found.setdefault(shard, {}), share)
        self.summaries: Mapping[int, Summary] = {shard: found[shard] for shard in sorted(found)}

    @property
    def in_memory(self) -> bool:
        return self._only is not None

    def of(self, shard: int) -> Iterator[Share]:
        """May be called several times. A table comes once for each piece that has rows of it."""
        if self._only is not None:
            return iter(self._only[shard])
        return (share for other, share in self._all() if other == shard)

    def _all(self) -> Iterator[tuple[int, Share]]:
        each = (
            [self._only.items()]
            if self._only is not None
            else (shares(piece(), self._tables) for piece in self._pieces)
        )
        for found in each:
            for shard, some in found:
                for share in some:
                    yield shard, share


def to_reread(pieces: Sequence[Piece]) -> dict[int, Summary]:
    """The keys that are to be read again, by one of the shards that have them, in the form of a shard's answer."""
    return _group_keys(pieces, REREAD, TO_REREAD)


def to_look_for(pieces: Sequence[Piece]) -> dict[int, Summary]:
    """In the same form the keys of rows that are deleted, unless a shard has them."""
    return _group_keys(pieces, DELETE_IF_GONE, TO_LOOK_FOR)


def _group_keys(pieces: Sequence[Piece], decision: str, name_of: str) -> dict[int, Summary]:
    found: dict[int, Summary] = {}
    for piece in pieces:
        rows = piece()
        those = rows.filter(pc.equal(rows.column("decision"), decision))
        for name, key, shard in zip(*(those.column(of).to_pylist() for of in ("table", "key", "shard")), strict=True):
            found.setdefault(shard, {name_of: {}})[name_of][json.dumps([name, *key])] = {}
    return found


def take_named(work: Mapping[int, Summary], name_of: str) -> Mapping[str, frozenset[tuple[str, ...]]]:
    """Logical table -> the keys that tasks have named under `name_of`, which is TO_REREAD or TO_LOOK_FOR. They are no
    part of the answers any more."""
    found: dict[str, set[tuple[str, ...]]] = {}
    for answer in work.values():
        for named in answer.pop(name_of, ()):
            logical, *key = json.loads(named)
            found.setdefault(logical, set()).add(tuple(key))
    return {logical: frozenset(keys) for logical, keys in found.items()}


class DirectInsertFailed(Exception):
    """Some of the rows exist already, or the table does not take them as they are."""


def without_new(share: Share) -> tuple[pa.Table, Share]:
    """The rows that are new, as far as the batch knows, and the rest of the share."""
    new = pc.fill_null(pc.equal(share.whole.column("decision"), INSERT), False)
    if pc.all(new).as_py():
        return share.whole, replace(share, whole=share.whole.slice(0, 0))
    return share.whole.filter(new), replace(share, whole=share.whole.filter(pc.invert(new)))


def place_rows(connection: Connection[Any], table: TablePlan, suffixes: Sequence[str], rows: pa.Table) -> None:
    """`rows` are in the order of their parts, which are indexes of `suffixes`. They may be loaded with the
    next statement. Raises DirectInsertFailed; the caller rolls the transaction back then."""
    columns = [column.target for column in table.columns]
    for part, some in stretches(rows, rows.column("part")):
        payload = render_lines([], one_array(some.column("row")))
        into = row_table(connection, table.logical + suffixes[part])
        load_later(
            connection,
            load_rows,
            into,
            columns,
            hexadecimal=table.byte_columns,
            payload=payload,
            explain=_explain_direct_insert,
        )


def _explain_direct_insert(error: pymysql.err.MySQLError) -> BaseException | None:
    is_about_rows = isinstance(error, pymysql.err.DataError | pymysql.err.IntegrityError)
    return DirectInsertFailed(str(error)) if is_about_rows else None
