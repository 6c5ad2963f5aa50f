"""Which other accounts may write to our ledgers? A run believes what is in them.

Runs in the driver; reads one server. A server shows other accounts' privileges to those who may read all of `mysql`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.runtime.mysql.check import Check, Verdict, warn
from shardwright.runtime.mysql.grants import quote_account
from shardwright.runtime.mysql.read_grants import covers
from shardwright.runtime.mysql.servers import current_account
from shardwright.runtime.mysql.transactions import decode_text, query
from shardwright.runtime.run.preflight.grants import may_read

_NAME: Final = "who writes the ledger"
_WRITES: Final = "('INSERT', 'UPDATE', 'DELETE')"
_HERE: Final = (
    "SELECT grantee, table_schema FROM information_schema.schema_privileges WHERE privilege_type IN "
    f"{_WRITES} UNION SELECT grantee, table_schema FROM information_schema.table_privileges WHERE privilege_type IN "
    rf"{_WRITES} AND table_name LIKE '\\_shardwright\\_%'"
)
_HAVING: Final = "SELECT DISTINCT grantee FROM information_schema.user_privileges WHERE privilege_type IN "
_EVERYWHERE: Final = _HAVING + _WRITES
_ADMINISTRATORS: Final = _HAVING + "('SUPER', 'CREATE USER')"
"""They can give themselves any privilege."""
_SHOWN: Final = 5


def ledger_writers(connection: Connection[Any], ledgers: Collection[str], where: str) -> Check:
    """`ledgers` are the databases of ledgers on the server."""
    if not may_read(connection, "mysql.*"):
        return Check(_NAME, where, Verdict.OK, "other accounts' privileges are not shown to our account")
    found = _others(connection, ledgers)
    names = ", ".join(found[:_SHOWN]) + (f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else "")
    return warn(
        _NAME, where, warning=f"{names} may write the ledger in {', '.join(sorted(ledgers))}" if found else None,
        way_out="name a `ledger` of its own in the spec before the migration begins, and give no other account more "
        "than SELECT there (docs/how-to/secrets.md)",
        otherwise="our account only, and administrators",
    )  # fmt: skip


def _others(connection: Connection[Any], ledgers: Collection[str]) -> list[str]:
    def names(sql: str) -> list[tuple[str, ...]]:
        return [tuple(str(decode_text(value)) for value in row) for row in query(connection, sql)]

    here = {grantee for grantee, schema in names(_HERE) if any(covers(schema, ledger) for ledger in ledgers)}
    everywhere = {grantee for (grantee,) in names(_EVERYWHERE)}
    administrators = {grantee for (grantee,) in names(_ADMINISTRATORS)}
    return sorted((here | everywhere) - administrators - {quote_account(current_account(connection))})
