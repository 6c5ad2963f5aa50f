"""Which triggers fence a table, and what do they say? They refuse each changed row, unless our account changes it.

Pure. Used in the driver.

Inside a trigger CURRENT_USER() is the trigger's definer. USER() is the user name that the session's client gave, with
the client's host. The user name is compared, because tasks connect from any host. A routine or a view of another
definer does not change it. In an event of the server's scheduler it is `event_scheduler`, with any definer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from sqlglot import exp

from shardwright.compiler.plan.plan import bookkeeping_name
from shardwright.compiler.sql.sql_text import quote
from shardwright.runtime.ddl.fence_names import PREFIX

EVENTS: Final = ("INSERT", "UPDATE", "DELETE")
_MOST_LETTERS: Final = 128
"""Of a message of SIGNAL."""
_USER: Final = "CONVERT(LEFT(USER(), CHAR_LENGTH(USER()) - LOCATE('@', REVERSE(USER()))) USING utf8mb4)"


@dataclass(frozen=True, slots=True)
class FenceTrigger:
    """`body` as the server's catalogue shows it."""

    name: str
    database: str
    table: str
    event: str
    body: str

    def create(self) -> str:
        on = f"{quote(self.database)}.{quote(self.table)}"
        return f"CREATE TRIGGER {self._name} BEFORE {self.event} ON {on} FOR EACH ROW {self.body}"

    def drop(self) -> str:
        return f"DROP TRIGGER IF EXISTS {self._name}"

    @property
    def _name(self) -> str:
        return f"{quote(self.database)}.{quote(self.name)}"


def fence_triggers(database: str, table: str, *, migration: str, ours: str) -> Sequence[FenceTrigger]:
    """The triggers of one table. `ours` is the user name that passes."""
    return [
        FenceTrigger(
            bookkeeping_name(PREFIX, f"{event[:3].lower()}_{migration}_{table}"),
            database,
            table,
            event,
            _body(migration, ours=ours),
        )
        for event in EVENTS
    ]


def message(migration: str) -> str:
    """The error message that a writer gets, of at most 128 letters: a migration's name has up to 64."""
    return f"stopped by the cutover of {migration}: retry where _shardwright_switch says"[:_MOST_LETTERS]


@cache
def _body(migration: str, *, ours: str) -> str:
    return unless_ours(ours, signal(message(migration)))


def unless_ours(ours: str, statement: str) -> str:
    """The statement, for every user but `ours`."""
    return f"IF {_USER} COLLATE utf8mb4_bin <> {as_text(ours)} THEN {statement}; END IF"


def signal(said: str) -> str:
    return f"SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = {as_text(said)}"


def as_text(text: str) -> str:
    return exp.Literal.string(text).sql("mysql")
