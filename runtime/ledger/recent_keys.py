"""Which keys the last batches changed on a shard, in packed form (the change-key log).

Written in Spark tasks, to the shard, in the transaction of the batch's decisions. Read in the driver.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pymysql.connections import Connection
from pymysql.cursors import SSCursor

from shardwright.compiler.plan.plan import TablePlan
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.transactions import execute_later, query

if TYPE_CHECKING:
    import pyarrow as pa

    from shardwright.runtime.ledger.stage_rows import Share

TABLE: Final = """CREATE TABLE IF NOT EXISTS `_shardwright_recent_keys` (
      migration VARCHAR(64) NOT NULL,
      batch BIGINT NOT NULL,
      logical VARCHAR(64) NOT NULL,
      piece INT NOT NULL,
      packed LONGBLOB NOT NULL,
      PRIMARY KEY (migration, batch, logical, piece)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"""
"""On every shard."""
_BYTES_IN_A_PIECE = 256 << 10  # a statement escapes some of them, and a shard may take packets of 1 MiB only
_ADD = "INSERT INTO `_shardwright_recent_keys` (migration, batch, logical, piece, packed) VALUES (%s, %s, %s, %s, %s)"
_FORGET_OLD = "DELETE FROM `_shardwright_recent_keys` WHERE migration = %s AND batch < %s"
_FORGET = "DELETE FROM `_shardwright_recent_keys` WHERE migration = %s AND batch = %s"
_FORGET_ALL = "DELETE FROM `_shardwright_recent_keys` WHERE migration = %s"
_READ = (
    "SELECT batch, logical, packed FROM `_shardwright_recent_keys` WHERE migration = %s AND batch BETWEEN %s AND %s "
    "ORDER BY batch, logical, piece"
)
_NO_END = (1 << 63) - 1
_FIRST = "SELECT COALESCE(MIN(batch), 0) FROM `_shardwright_recent_keys` WHERE migration = %s"


@dataclass(frozen=True, slots=True)
class KeyMemory:
    """Batches before `oldest` are forgotten; a shard's share of more than `most_rows` rows is not remembered, since it
    could not be read again."""

    oldest: int
    most_rows: int


@dataclass(frozen=True, slots=True)
class PackedKeys:
    """The changes of one logical table, as Arrow's bytes: source_table, part, key and the version that was written."""

    logical: str
    piece: int
    packed: bytes


@dataclass(frozen=True, slots=True)
class ChangedRow:
    """One change that a batch applied on a shard."""

    batch: int
    """The batch that applied it."""
    logical: str
    """Its logical table."""
    source_table: str
    """As "database.table"."""
    key: tuple[str, ...]
    """As the decode step spells it."""
    shard: int
    """Where the row was."""
    part: int
    """Index of the physical table on that shard."""
    version: str | None
    """The version that the batch wrote; None for a table without a version column."""


def pack_keys(shares: Iterable[Share], tables: Mapping[str, TablePlan], remembering: KeyMemory) -> list[PackedKeys]:
    """Pack the keys of one shard's `shares`. Empty when there are more than may be remembered."""
    import pyarrow as pa

    keys: dict[str, list[pa.Table]] = {}
    count = 0
    for share in shares:
        for rows in (share.whole, share.keys):
            keys.setdefault(share.logical, []).append(_keys(rows, tables[share.logical]))
            count += rows.num_rows
        if count > remembering.most_rows:
            return []
    return [
        PackedKeys(logical, piece, packed)
        for logical, some in keys.items()
        for piece, packed in enumerate(_pieces(pa.concat_tables(some)))
    ]


def _keys(rows: pa.Table, table: TablePlan) -> pa.Table:
    return rows.select(["source_table", "part", "key"]).append_column("version", _versions(rows, table))


def remember_keys(
    connection: Connection[Any], migration: str, batch: int, packed: list[PackedKeys], *, oldest: int
) -> None:
    """Write the keys of the batch. They replace those of an earlier attempt at it."""
    execute_later(connection, _FORGET_OLD, (migration, oldest), may_commit=True)
    execute_later(connection, _FORGET, (migration, batch), may_commit=True)
    for item in packed:
        execute_later(connection, _ADD, (migration, batch, item.logical, item.piece, item.packed), may_commit=True)


def forget_keys(connection: Connection[Any], migration: str) -> None:
    execute_later(connection, _FORGET_ALL, (migration,), may_commit=True)


def first_remembered(connection: Connection[Any], migration: str) -> int:
    """The first batch of which this shard remembers keys; 0 where it remembers none."""
    return int(query(connection, _FIRST, (migration,))[0][0])


def recent_keys(
    connection: Connection[Any], migration: str, first: int, last: int | None = None
) -> Iterator[tuple[int, str, pa.Table]]:
    """The changes on this shard from batch `first` to batch `last`, or to the end: the batch, the logical table, and
    the columns that PackedKeys describes."""
    import pyarrow as pa

    with connection.cursor(SSCursor) as cursor:  # those of a day may be more than memory holds
        cursor.execute(_READ, (migration, first, _NO_END if last is None else last))
        for batch, logical, packed in cursor:
            yield int(batch), str(logical), pa.ipc.open_stream(packed).read_all()


def read_changed_rows(servers: Servers, migration: str, first: int) -> list[ChangedRow]:
    """The changes of batch `first` and all later ones, on every shard."""
    found: list[ChangedRow] = []
    for shard, connection in servers.each_shard():
        for batch, logical, keys in recent_keys(connection, migration, first):
            columns = (keys.column(name).to_pylist() for name in ("source_table", "key", "part", "version"))
            found += [
                ChangedRow(batch, logical, str(s), tuple(k), shard, p, v) for s, k, p, v in zip(*columns, strict=True)
            ]
    return found


def _versions(rows: pa.Table, table: TablePlan) -> pa.ChunkedArray | pa.Array:
    import pyarrow as pa
    import pyarrow.compute as pc

    names = [column.target for column in table.columns]
    if table.writes.version_column is None:
        return pa.nulls(rows.num_rows, pa.string())
    return pc.list_element(rows.column("row"), names.index(table.writes.version_column))


def _pieces(keys: pa.Table) -> Iterator[bytes]:
    """Pieces small enough to be sent. A piece that does not pack well enough is halved."""
    at_once = max(1, keys.num_rows * 2 * _BYTES_IN_A_PIECE // max(1, keys.nbytes))
    for start in range(0, keys.num_rows, at_once):
        some = keys.slice(start, at_once)
        packed = _pack(some)
        if len(packed) <= _BYTES_IN_A_PIECE or some.num_rows == 1:
            yield packed
        else:
            half = some.num_rows // 2
            yield from _pieces(some.slice(0, half))
            yield from _pieces(some.slice(half))


def _pack(keys: pa.Table) -> bytes:
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, keys.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_table(keys)
    return bytes(sink.getvalue().to_pybytes())
