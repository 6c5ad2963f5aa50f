"""Which rows do statements ask about? Those of a small key range, or those whose keys are given.

Pure: makes statements and executes none; the connection only quotes keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.runtime.mysql.keys import key_list
from shardwright.runtime.verify.key_range import Key, KeyRange

_KEYS_AT_ONCE = 1_000

Rows = KeyRange | Sequence[Key]


@dataclass(frozen=True, slots=True)
class StatementCall:
    """One statement of the plan to run."""

    name: str
    """The statement's name in its step."""
    variables: Mapping[str, object] = field(default_factory=dict)
    """User variables that it reads."""
    keys: str = ""
    """The list of given keys as SQL; empty for a range."""

    def fill(self, sql: str) -> str:
        return sql.replace("`${keys}`", self.keys) if self.keys else sql


def requests_for(rows: Rows, kinds: Sequence[ColumnType], connection: Connection[Any]) -> Iterator[StatementCall]:
    """`kinds` are the types of the key's columns."""
    if isinstance(rows, KeyRange):
        yield StatementCall("keys", rows.variables(len(kinds)))
    else:
        for start in range(0, len(rows), _KEYS_AT_ONCE):
            yield StatementCall("given", keys=key_list(connection, kinds, rows[start : start + _KEYS_AT_ONCE]))
