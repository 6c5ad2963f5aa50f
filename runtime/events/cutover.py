"""Events of a cutover, of `ddl apply` and of its tools.

Pure. Made in the process of the command.
"""

from __future__ import annotations

from dataclasses import dataclass

from shardwright.runtime.events.event import RunEvent


@dataclass(frozen=True, slots=True)
class CutoverProgress(RunEvent):
    """A cutover has entered a state."""

    state: str
    """"fenced", "drained", "proved", "armed" or "switched"."""
    detail: str
    """What that means here, in words."""
    pause_seconds: float | None = None
    """Seconds since the fence, while neither side takes writes; None outside of that."""
    writes_to: str | None = None
    """In state "switched": "source" or "shards"."""

    @property
    def sentence(self) -> str:
        pause = "" if self.pause_seconds is None else f", {self.pause_seconds:.2f} s after the fence"
        return f"{self.state}: {self.detail}{pause}"


@dataclass(frozen=True, slots=True)
class CutoverResumed(RunEvent):
    """A command goes on where another one has ended."""

    state: str

    @property
    def sentence(self) -> str:
        return f"resuming in state {self.state}, where another command ended"


@dataclass(frozen=True, slots=True)
class CutoverGivenUp(RunEvent):
    """The old side takes writes again."""

    side: str
    """"source" or "shards"."""
    reason: str

    @property
    def sentence(self) -> str:
        return f"{self.side} takes writes again: {self.reason}"


@dataclass(frozen=True, slots=True)
class CutoverIncomplete(RunEvent):
    """The command ends, and what it could not do is left to an operator."""

    what: str
    """What is left, and the command for it."""

    @property
    def sentence(self) -> str:
        return self.what


@dataclass(frozen=True, slots=True)
class NextNumber(RunEvent):
    """The next number of a counter on the new side."""

    counter: str
    """Table or counter, and the number."""
    only_shown: bool = False
    """In a rehearsal: it would be set."""

    @property
    def sentence(self) -> str:
        return f"{'the next numbers would be set' if self.only_shown else 'next numbers'}: {self.counter}"


@dataclass(frozen=True, slots=True)
class TriggersDropped(RunEvent):
    """Triggers of the source are gone until a rollback brings them back."""

    triggers: tuple[str, ...]

    @property
    def sentence(self) -> str:
        return f"dropped at the source until a rollback: {', '.join(self.triggers)}"


@dataclass(frozen=True, slots=True)
class LedgerDropped(RunEvent):
    """`finish` has dropped tables of ours."""

    what: str

    @property
    def sentence(self) -> str:
        return self.what


@dataclass(frozen=True, slots=True)
class OldView(RunEvent):
    """`finish` has dropped a view with an old table's name, or leaves it."""

    database: str
    view: str
    kept: str | None = None
    """Why it is left."""

    @property
    def sentence(self) -> str:
        view = f"{self.database}.{self.view}: the view of the old table"
        return f"{view} is dropped" if self.kept is None else f"{view} stays: {self.kept}"


@dataclass(frozen=True, slots=True)
class MigrationFinished(RunEvent):
    """`cutover finish` has ended the migration."""

    writes_to: str
    """"source" or "shards"."""

    @property
    def sentence(self) -> str:
        return f"the migration is finished for good: writes go to the {self.writes_to}"


@dataclass(frozen=True, slots=True)
class OnlineTool(RunEvent):
    """What a tool for online schema change reports, or what is done for it."""

    table: str
    """The physical table; empty where the line names it."""
    line: str

    @property
    def sentence(self) -> str:
        return f"{self.table}: {self.line}" if self.table else self.line


@dataclass(frozen=True, slots=True)
class ChangeApplied(RunEvent):
    """`ddl apply` has changed one more physical table."""

    change: str
    """The DDL file and the number of its statement."""
    table: str
    """The physical table, with its database."""
    done: int
    """Physical tables that have the change now."""
    total: int

    @property
    def sentence(self) -> str:
        return f"{self.change}: {self.table} ({self.done} of {self.total})"
