"""A half-done migration as files: the source's tables, and all tables of each shard, the ledger's too. Positions in the
log and the source's identity are names in the files: what is loaded continues where the log of its new server ends.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from shardwright.runtime.sources.binlog.connection import connected, log_head, server_identity
from shardwright.runtime.sources.binlog.place import created_of
from tests.interleavings.driver import Lab
from tests.servers.testbed import Server

POSITION, IDENTITY = "the end of the log", "the source's identity"


def save(lab: Lab, folder: Path) -> None:
    """Writes `source.sql` and a file for each shard; the run is dead, and has read the whole log of the source."""
    folder.mkdir(parents=True, exist_ok=True)
    endpoint = lab.arena.source.endpoint
    with connected(endpoint) as connection:
        identity = server_identity(connection)
    (folder / "source.sql").write_text(_dump(lab.arena.source, "lab", lambda value: value), encoding="utf-8")
    for shard in lab.shards:
        text = _dump(lab.arena.placement[shard], shard, lambda value: _named(value, identity))
        (folder / f"{shard}.sql").write_text(text, encoding="utf-8")


def load(lab: Lab, folder: Path) -> None:
    """Fills empty servers with it."""
    _execute(lab.arena.source, "lab", (folder / "source.sql").read_text("utf-8"))
    endpoint = lab.arena.source.endpoint
    with connected(endpoint) as connection:
        identity = server_identity(connection)
    head = log_head(endpoint, server=identity)
    position = {**head.to_json(), "created": created_of(endpoint, head.file), "server": identity}
    for shard in lab.shards:
        text = (folder / f"{shard}.sql").read_text("utf-8")
        text = text.replace(_quoted(json.dumps(POSITION)), _quoted(json.dumps(position)))
        text = text.replace(_quoted(json.dumps(IDENTITY)), _quoted(json.dumps(identity)))
        _execute(lab.arena.placement[shard], shard, text)


def _named(value: object, identity: str) -> object:
    """A value of a ledger with names for what only its server has."""
    if not isinstance(value, str) or not value.startswith("{"):
        return value
    return json.dumps(_walked(json.loads(value), identity))


def _walked(value: Any, identity: str) -> Any:
    if value == identity:
        return IDENTITY
    if isinstance(value, Mapping):
        if {"file", "pos"} <= set(value):
            return POSITION
        return {name: _walked(item, identity) for name, item in value.items()}
    return [_walked(item, identity) for item in value] if isinstance(value, list) else value


def _dump(server: Server, database: str, named: Callable[[object], object]) -> str:
    """Statements, each ended by a line with a semicolon alone."""
    statements = []
    with closing(server.connect(database)) as connection, connection.cursor() as cursor:
        cursor.execute("SHOW TABLES")
        for (table,) in sorted(cursor.fetchall()):
            cursor.execute(f"SHOW CREATE TABLE `{table}`")
            ((_, create),) = cursor.fetchall()
            statements.append(re.sub(r" AUTO_INCREMENT=\d+", "", create))
            cursor.execute(f"SELECT * FROM `{table}`")
            for row in cursor.fetchall():
                values = ", ".join(connection.escape(named(value)) for value in row)
                statements.append(f"INSERT INTO `{table}` VALUES ({values})")
    return "".join(f"{statement}\n;\n" for statement in statements)


def _execute(server: Server, database: str, text: str) -> None:
    with closing(server.connect(database)) as connection, connection.cursor() as cursor:
        for statement in text.split("\n;\n"):
            if statement.strip():
                cursor.execute(statement)
        connection.commit()


def _quoted(text: str) -> str:
    """As it is within a text literal of a file."""
    return text.replace("\\", "\\\\").replace('"', '\\"')
