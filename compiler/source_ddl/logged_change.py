"""What a DDL statement of the log does to a followed table, as data."""

from __future__ import annotations

from dataclasses import dataclass

from shardwright.compiler.plan import SourceColumn


class CannotFollow(Exception):
    """The statement cannot be carried to the targets by itself: `code` and `why` say what an operator must know.
    `understood`: it is known what it does, so that a person may let it pass by a pattern."""

    def __init__(self, code: str, why: str, *, understood: bool = False) -> None:
        self.code = code
        self.why = why
        self.understood = understood
        super().__init__(f"{code}: {why}")


@dataclass(frozen=True, slots=True)
class LoggedChange:
    """`source` is the followed table ("database.table"; empty: no followed table is touched) and `logical` its logical table.
    `columns` are the source table's afterwards. `routed` is the statement for the physical tables, with `${suffix}`; None when
    the targets need none. `words` say it all to the operator. `replaced`: another table took the followed one's name, so that its rows
    may be others."""

    source: str
    logical: str
    columns: tuple[SourceColumn, ...]
    columns_differ: bool
    routed: str | None
    words: str
    replaced: bool = False
    lacking: tuple[str, ...] = ()
    """What the source has since and `routed` does not bring to the targets."""


UNTOUCHED = LoggedChange("", "", (), False, None, "no followed table is touched")
