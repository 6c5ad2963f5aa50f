"""Where a run stands, as its ledger says."""

from __future__ import annotations

import json

import pymysql
from pymysql.connections import Connection
from pymysql.cursors import Cursor


def read_applied_position(connection: Connection[Cursor]) -> tuple[int, int] | None:
    """Number of the log file and offset up to which the stream is applied, once the copy is complete."""
    with connection.cursor() as cursor:
        try:
            cursor.execute("SELECT position FROM _shardwright_migration WHERE snapshot_end IS NOT NULL")
        except pymysql.err.ProgrammingError:
            return None  # not made yet
        row = cursor.fetchone()
    if row is None:
        return None
    (part,) = json.loads(row[0]).values()
    return int(part["file"].rpartition(".")[2]), int(part["pos"])
