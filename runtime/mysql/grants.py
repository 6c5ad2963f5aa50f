"""Which privileges an account needs, and the GRANT statements that give them: in messages and in the sandbox, with
names that mean one database only.

Pure. Used in the driver and in Spark tasks, where a connection is refused.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from sqlglot import exp

from shardwright.compiler.sql.sql_text import quoted

NEEDED_ON_TARGETS: Final = (
    "SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "DROP", "ALTER", "INDEX", "CREATE TEMPORARY TABLES", "TRIGGER"
)  # fmt: skip
"""What is used in a target database. Without TRIGGER the server hides triggers that act on what we write."""
OF_USE_ON_TARGETS: Final = ("LOCK TABLES",)
"""Without it large batches cost the shards more (`stream/stage/cleanup`)."""
ROWS: Final = ("SELECT", "INSERT", "UPDATE", "DELETE")
"""What is used in a source database by rows that come back."""
ON_TARGETS: Final = (*NEEDED_ON_TARGETS, *OF_USE_ON_TARGETS)


def grant(privileges: Collection[str], database: str, account: str) -> str:
    """`account` is written as given: an account in quotes, or words that mean one."""
    return f"GRANT {', '.join(privileges)} ON {everything_in(database)} TO {account}"


def quoted_account(account: str) -> str:
    """The account in the form of GRANT; `account` is what CURRENT_USER() returns, user@host."""
    user, _, host = account.rpartition("@")
    return "@".join(exp.Literal.string(part).sql("mysql") for part in (user, host))


def everything_in(database: str) -> str:
    """`database.*` for GRANT, which reads an underscore or a percent sign in the name as a wildcard."""
    return quoted(database.replace("_", r"\_").replace("%", r"\%")) + ".*"
