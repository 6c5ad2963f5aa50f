"""What one message says: row changes, or why it has none.

Pure. Used in Spark tasks, and in the driver for single messages.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

Image = tuple[str | None, ...]


class LogCoordinate(NamedTuple):
    """Where the change is in the source server's log, as far as the message says.

    file, offset   the log file's name and the byte at which the event starts (Debezium) or ends (Maxwell): the same for
                   all rows of an event, and rising with the log; None when the message has none (Canal)
    row            the row's number within its event (Debezium) or transaction (Maxwell with output_xoffset); None when
                   unknown: then only the message's place in its partition orders rows of one offset
    gtid           the transaction (Debezium), or the set of all transactions up to this one (Canal, Maxwell)
    """

    file: str | None = None
    offset: int | None = None
    row: int | None = None
    gtid: str | None = None


class RowChange(NamedTuple):
    """`table` is "database.table" as in the captured tables, `op` one of the event schema's, `committed_at` the second
    in which the server logged the change (since 1970). `before` is None for an insert, `after` for a delete."""

    table: str
    op: str
    before: Image | None
    after: Image | None
    committed_at: int
    coordinate: LogCoordinate | None


class Aside(Enum):
    """Why a message holds no row change for us.

    TOMBSTONE           a null value: the queue's own compaction mark
    HEARTBEAT           the producer is alive
    TRANSACTION_MARKER  begin or end of a transaction
    SCHEMA_CHANGE       DDL; `text` is the statement. Of any table: the policy decides whether it concerns us
    MESSAGE             a logical message, no row (Debezium's op=m)
    STATEMENT           a statement's text: beside the rows it changed (MariaDB's annotations), or of one that changes
                        none of ours
    TRUNCATE            all rows of a table went in one statement
    NOT_FOLLOWED        a row of a table that the spec does not have (to be counted: hazard F11)
    SNAPSHOT_READ       a row that the producer copied (Debezium's op=r, Maxwell's bootstrap). It says what a row was at
                        some position, not what changed. Our own copy has those rows, and every change since then comes
                        as a change. So it is dropped: applied, it could supersede a newer change (hazard F4)
    """

    TOMBSTONE = "tombstone"
    HEARTBEAT = "heartbeat"
    TRANSACTION_MARKER = "transaction marker"
    SCHEMA_CHANGE = "schema change"
    MESSAGE = "message"
    STATEMENT = "statement"
    TRUNCATE = "truncate"
    NOT_FOLLOWED = "table not followed"
    SNAPSHOT_READ = "snapshot read"


class NotAChange(NamedTuple):
    """`database` and `table` are None where the message names none; `text` is a statement; `rows` counts the rows that
    are skipped."""

    aside: Aside
    database: str | None = None
    table: str | None = None
    text: str | None = None
    committed_at: int | None = None
    coordinate: LogCoordinate | None = None
    rows: int = 0


Decoded = tuple[RowChange, ...] | NotAChange
