"""What a DDL statement of the log does to a followed table, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from shardwright.compiler.plan.table_parts import SourceColumn


class CannotFollow(Exception):
    """The statement cannot be carried to the targets by itself: `code` and `why` say what an operator must know.
    `understood`: it is known what it does, so that an operator may ignore it by a pattern. `change`: what it means for
    the plan once an operator has skipped it; None when its table is not known."""

    def __init__(self, code: str, why: str, *, understood: bool = False, change: LoggedChange | None = None) -> None:
        self.code = code
        self.why = why
        self.understood = understood
        self.change = change
        super().__init__(f"{code}: {why}")


@dataclass(frozen=True, slots=True)
class Truncation:
    """All rows of the source table are gone. `delete`, with `${suffix}`, deletes some rows of a physical table; it is
    given until it finds none. Empty: the targets keep their rows. `objection` says why the targets' rows may not go
    without a person; empty: they may."""

    delete: str = ""
    objection: str = ""


@dataclass(frozen=True, slots=True)
class LoggedChange:
    """`source` is the followed table ("database.table"; empty: no followed table is touched) and `logical` its logical
    table. `columns` are the source table's afterwards. `routed` is the statement for the physical tables, with
    `${suffix}`; None when the targets need none. `words` say it all to the operator, `left` what of it the targets do
    not get. `unknown`: what the columns are afterwards is not known. `replaces`: another table has come in the place
    of `source`. `emptied` is set for TRUNCATE. `renamed`: new names of columns that
    are otherwise as before, with those of before."""

    source: str
    logical: str
    columns: tuple[SourceColumn, ...]
    columns_differ: bool
    routed: str | None
    words: str
    left: tuple[str, ...] = ()
    unknown: bool = False
    replaces: bool = False
    emptied: Truncation | None = None
    renamed: Mapping[str, str] = field(default_factory=dict)


UNTOUCHED = LoggedChange("", "", (), False, None, "no followed table is touched")
