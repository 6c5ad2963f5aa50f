"""The kinds of change, each with what a reviewer has to know about it.

One frozen class a kind (after SQLMesh's schema difference): how dangerous it is and whether it can be taken back are
properties of the change, not of a later search in texts.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import StrEnum


class Risk(StrEnum):
    """`note`: nothing is lost. `review`: rows or values come out otherwise. `danger`: something is exposed or lost."""

    NOTE = "note"
    REVIEW = "review"
    DANGER = "danger"


@dataclass(frozen=True, slots=True)
class Change(ABC):
    """Base of all. `table` is a logical table, None when the change is the migration's."""

    table: str | None

    @property
    def risk(self) -> Risk:
        return Risk.REVIEW

    @property
    def reversible(self) -> bool:
        """Whether what the old specs moved could still be made from what stands on the target under the new ones."""
        return True

    @property
    @abstractmethod
    def words(self) -> str:
        """The change in a phrase, without the table's name."""


@dataclass(frozen=True, slots=True)
class TableAdded(Change):
    columns: int
    physical: int

    @property
    def risk(self) -> Risk:
        return Risk.NOTE

    @property
    def words(self) -> str:
        return f"new: {self.columns} columns onto {self.physical} physical tables"


@dataclass(frozen=True, slots=True)
class TableRemoved(Change):
    @property
    def risk(self) -> Risk:
        return Risk.DANGER

    @property
    def words(self) -> str:
        return "no longer moved"


@dataclass(frozen=True, slots=True)
class Flow:
    """`share` of all rows goes from one database to another; 0 to 1."""

    source: str
    target: str
    share: float


@dataclass(frozen=True, slots=True)
class RowsMove(Change):
    """`share` of the rows gets another physical table, `database_share` another database as well; `keys` were tried.
    `rows` says which: the key space, or a given sample."""

    share: float
    database_share: float
    keys: int
    rows: str
    flows: tuple[Flow, ...]

    @property
    def words(self) -> str:
        text = f"{percent(self.share)} of the rows change their physical table"
        text += f", {percent(self.database_share)} their database ({self.keys} keys of {self.rows})"
        if self.flows:
            shown = "; ".join(f"{flow.source} -> {flow.target} {percent(flow.share)}" for flow in self.flows)
            text += f": {shown}"
        return text


@dataclass(frozen=True, slots=True)
class DistributionChanged(Change):
    before: str
    after: str

    @property
    def words(self) -> str:
        return f"spread otherwise: {self.before}, now {self.after}"


@dataclass(frozen=True, slots=True)
class ColumnAdded(Change):
    """`personal` says why the name looks like personal data; `masked` whether its values stay behind; `mapping` how
    they come about ("copied", "masked: sha256")."""

    column: str
    personal: str | None
    masked: bool
    mapping: str

    @property
    def risk(self) -> Risk:
        return Risk.DANGER if self.personal and not self.masked else Risk.REVIEW

    @property
    def words(self) -> str:
        if self.mapping != "copied":
            text = f"column {self.column} is new ({self.mapping})"
        else:
            text = f"column {self.column} is newly copied"
        if self.personal and not self.masked:
            text += f", NOT masked, and looks like personal data ({self.personal})"
        return text


@dataclass(frozen=True, slots=True)
class ColumnDropped(Change):
    column: str

    @property
    def reversible(self) -> bool:
        return False

    @property
    def words(self) -> str:
        return f"column {self.column} is no longer copied"


@dataclass(frozen=True, slots=True)
class ColumnRenamed(Change):
    column: str
    before: str
    after: str

    @property
    def words(self) -> str:
        return f"column {self.column} is called {self.after} on the target, no longer {self.before}"


@dataclass(frozen=True, slots=True)
class ColumnChanged(Change):
    """What is written for the column: its type, expression or mask. `unmasked` when a mask went away."""

    column: str
    before: str
    after: str
    unmasked: bool
    comes_back: bool

    @property
    def risk(self) -> Risk:
        return Risk.DANGER if self.unmasked else Risk.REVIEW

    @property
    def reversible(self) -> bool:
        return self.comes_back

    @property
    def words(self) -> str:
        text = f"column {self.column}: {self.before}, now {self.after}"
        return text + " (no longer masked)" if self.unmasked else text


@dataclass(frozen=True, slots=True)
class WayBackLost(Change):
    """Something does not come back to the source any more: a cutover would be refused. `column` is empty for whole
    rows."""

    column: str
    verdict: str
    why: str

    @property
    def risk(self) -> Risk:
        return Risk.DANGER

    @property
    def words(self) -> str:
        what = f"column {self.column}" if self.column else "rows"
        return f"the way back is lost: {what}: {self.verdict}: {self.why}"


@dataclass(frozen=True, slots=True)
class BucketsChanged(Change):
    """Rows are in other virtual buckets. `after` is 0 where none are left."""

    before: int
    after: int

    @property
    def risk(self) -> Risk:
        return Risk.DANGER

    @property
    def words(self) -> str:
        here = f"{self.after} buckets" if self.after else "none"
        if self.after == self.before:
            here = "others"
        return f"virtual buckets: {self.before}, now {here}: refused while both sides take writes (SW8934)"


@dataclass(frozen=True, slots=True)
class WayBackFound(Change):
    """What did not come back to the source before does so now."""

    column: str

    @property
    def risk(self) -> Risk:
        return Risk.NOTE

    @property
    def words(self) -> str:
        return f"the way back is open again: {f'column {self.column}' if self.column else 'rows'}"


@dataclass(frozen=True, slots=True)
class FilterChanged(Change):
    """`before` and `after` are the row filters as written; None: every row is moved."""

    before: str | None
    after: str | None

    @property
    def reversible(self) -> bool:
        return self.after is None

    @property
    def words(self) -> str:
        before, after = (f"where {text}" if text else "all of them" for text in (self.before, self.after))
        return f"rows that are moved: {before}, now {after}"


@dataclass(frozen=True, slots=True)
class SettingChanged(Change):
    """A setting without a kind of its own: key, weight, version column, sources ..."""

    setting: str
    before: str
    after: str

    @property
    def words(self) -> str:
        return f"{self.setting}: {self.before}, now {self.after}"


@dataclass(frozen=True, slots=True)
class ExistingRowsChanged(Change):
    """What becomes of rows that stand on the target when a migration begins."""

    before: str
    after: str

    @property
    def risk(self) -> Risk:
        return Risk.DANGER if self.after == "replace" else Risk.REVIEW

    @property
    def words(self) -> str:
        return f"rows that are on the target at the beginning: {self.before}, now {self.after}"


@dataclass(frozen=True, slots=True)
class DeferredIndexesChanged(Change):
    """Which indexes are built after the copy; those that are not named are made with the table."""

    before: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def risk(self) -> Risk:
        return Risk.REVIEW

    @property
    def words(self) -> str:
        before, after = (", ".join(names) or "none" for names in (self.before, self.after))
        return f"indexes that are built after the copy: {before}, now {after}"


@dataclass(frozen=True, slots=True)
class DeletesChanged(Change):
    """`loosened`: fewer deletes are carried out, remembered or stopped at than before."""

    before: str
    after: str
    loosened: bool

    @property
    def risk(self) -> Risk:
        return Risk.DANGER if self.loosened else Risk.REVIEW

    @property
    def words(self) -> str:
        return f"delete policy {'loosened' if self.loosened else 'changed'}: {self.before}, now {self.after}"


@dataclass(frozen=True, slots=True)
class DdlAdded(Change):
    """`weight` says how heavy it is on each kind of server."""

    file: str
    statement: str
    destructive: bool
    weight: str

    @property
    def risk(self) -> Risk:
        return Risk.DANGER if self.destructive else Risk.REVIEW

    @property
    def reversible(self) -> bool:
        return not self.destructive

    @property
    def words(self) -> str:
        return f"{'destructive ' if self.destructive else ''}DDL {self.file} ({self.weight}): {self.statement}"


@dataclass(frozen=True, slots=True)
class DdlRewritten(Change):
    """A file that may have been routed already says something else now."""

    file: str
    gone: bool

    @property
    def risk(self) -> Risk:
        return Risk.DANGER

    @property
    def words(self) -> str:
        return f"DDL {self.file} {'is gone' if self.gone else 'was edited'}: where it was routed, it stays as it was"


@dataclass(frozen=True, slots=True)
class SqlChanged(Change):
    """The SQL of one step differs; `diff` is a unified difference without file headings."""

    step: str
    diff: str

    @property
    def risk(self) -> Risk:
        return Risk.NOTE

    @property
    def words(self) -> str:
        lines = self.diff.splitlines()
        added, removed = (sum(line.startswith(sign) for line in lines) for sign in "+-")
        return f"SQL of {self.step}: {added} lines added, {removed} removed"


def percent(share: float) -> str:
    """A share as people read it; small but not nothing is shown as such."""
    if 0 < share < 0.0005:
        return "under 0.1 %"
    return f"{share * 100:.1f} %".replace(".0 %", " %")
