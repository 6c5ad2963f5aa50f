"""How a DDL statement on a captured table becomes a refusal, with what is needed to skip it; and how messages show a
statement: what it does stays, but its values are removed, which not every reader may see.

Pure. Used in Spark tasks and in the driver.
"""

from __future__ import annotations

import re
from typing import Final

from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.binlog.events import LogEvent, Statement
from shardwright.specs.files.sql_pieces import BLOCK_COMMENT, LINE_COMMENT, QUOTED_NAME, STRING
from shardwright.specs.findings.remedies import START_OVER

_VALUES: Final = re.compile(
    rf"(?P<name>{QUOTED_NAME}|[A-Za-z_$\x80-\U0010ffff][\w$]*+(?!['\"]))|(?P<comment>{LINE_COMMENT}|{BLOCK_COMMENT})"
    rf"|(?P<value>(?:[A-Za-z_]\w*+)?{STRING}|\.?\d[\w.]*+)",
    re.DOTALL,
)
_ENOUGH: Final = 4000
"""How many characters are examined: far more than a message shows."""


def without_values(statement: bytes, *, length: int) -> str:
    """At most `length` characters of it, with `?` for every text and number; comments are left out. Linear in the
    statement's length."""
    text = statement[:_ENOUGH].decode("utf-8", "replace")
    words = _VALUES.sub(lambda found: found[0] if found["name"] else "?" if found["value"] else "", text)
    shown = " ".join(words.split())
    return shown if len(shown) <= length and len(statement) <= _ENOUGH else shown[:length] + "…"


CODE = "SW8114"
LEAVE_OUT: Final = (
    "To leave the table out, put its CREATE TABLE into the schema file, name it under `except` of that entry of the "
    "spec, compile, run again"
)
_IN_A_TRANSACTION = (
    "Everything before it is applied. The log has it in one transaction with rows of other tables, so it cannot be "
    "skipped"
)


def by_hand(code: str, place: str) -> str:
    """The remedy, which ends with a command that can be copied."""
    return (
        "Everything before it is applied. Make the same change on the targets by hand, then skip this one statement "
        "with the command below. If the columns differ now, change the schema file after that, compile, run again. "
        f"{skip_hint(code, place)}"
    )


def rows_by_hand(code: str, place: str) -> str:
    """The remedy where the table has other rows now, and the log does not say which."""
    return (
        "Everything before it is applied, and the targets keep the rows that they have. Make what it changes in "
        "the columns, if anything, on the targets by hand, and skip this one statement with the command below. If "
        "the columns differ now, change the schema file after that, compile, run again. When the run has caught "
        "up, `shardwright verify --report json=RESULT` names the rows that differ, and `shardwright repair RESULT "
        f"--delete-extra` brings over the source's. {skip_hint(code, place)}"
    )


def skip_hint(code: str, place: str) -> str:
    return f"To skip it: shardwright run --allow {code}@{place}"


class TableChanged(Refused):
    """`alone`: the statement is a transaction of its own, so the position after it is a boundary. `is_new`: it makes a
    table that a pattern of the spec means."""

    def __init__(self, event: LogEvent, statement: Statement, *, alone: bool, is_new: bool = False) -> None:
        shown = statement.text[:200].decode("utf-8", "replace")
        what = "a table is made that a pattern of the spec means" if is_new else "a followed table is changed"
        again = f"{LEAVE_OUT}, or {START_OVER}" if is_new else f"{START_OVER}, with the table as it is now"
        super().__init__(
            CODE,
            f"at {event.place} {what}: {shown!r} (in database '{statement.database}'). "
            + (by_hand(CODE, event.place) if alone else f"{_IN_A_TRANSACTION}. {again}"),
            event.place,
        )
        self.event = event
        self.statement = statement
        self.alone = alone
