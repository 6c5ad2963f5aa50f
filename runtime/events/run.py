"""Events of a command's beginning, its failures and its end, and of what holds it up.

Pure. Made in the driver.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from shardwright.runtime.events.event import RunEvent
from shardwright.runtime.events.time_left import span


@dataclass(frozen=True, slots=True)
class CommandStarted(RunEvent):
    """A command has begun. It has read nothing yet."""

    command: str
    """The verb."""
    environment: str
    """The environment's name."""

    @property
    def sentence(self) -> str:
        return f"shardwright {self.command} begins in environment {self.environment}"


@dataclass(frozen=True, slots=True)
class PlanRead(RunEvent):
    """The command knows what to do. It may ask for consent now."""

    migration: str
    plan: str
    """The plan's fingerprint."""
    direction: str
    """"forward" or "backward"."""

    @property
    def sentence(self) -> str:
        return f"migration {self.migration}, plan {self.plan}, {self.direction}"


@dataclass(frozen=True, slots=True)
class StepStarted(RunEvent):
    """A step of the run's start has begun. It ends with the next one, or with Spark's start."""

    step: str

    @property
    def sentence(self) -> str:
        return self.step


@dataclass(frozen=True, slots=True)
class StillWaiting(RunEvent):
    """Something that an earlier event has named still keeps the command waiting. Reported after 5 seconds, and then
    after twice as long each time, at least every 5 minutes."""

    what: str
    """What it waits for."""
    seconds: float
    """Since when."""

    @property
    def sentence(self) -> str:
        return f"still waiting after {span(self.seconds)}: {self.what}"


@dataclass(frozen=True, slots=True)
class Message(RunEvent):
    """A line that the command prints beside its events: a warning, an error, how it ends. Only where stderr has JSON
    lines."""

    text: str

    @property
    def sentence(self) -> str:
        return self.text


HoldKind = Literal["operator", "replica_lag", "threads_running", "commit_latency", "other"]
"""What may hold up work."""


@dataclass(frozen=True, slots=True)
class CheckWarning(RunEvent):
    """A check before the run, or before a cutover, warns."""

    check: str
    """The check's name."""
    where: str
    """The server, database or table; empty where it concerns all."""
    message: str

    @property
    def sentence(self) -> str:
        return f"warning: {f'{self.where}: ' if self.where else ''}{self.check}: {self.message}"


@dataclass(frozen=True, slots=True)
class RunStarted(RunEvent):
    """A run has the fencing token and its tables."""

    plan: str
    """The plan's fingerprint."""
    epoch: int
    """The fencing token."""
    tables_created: int

    @property
    def sentence(self) -> str:
        return f"plan {self.plan}, epoch {self.epoch}: {self.tables_created} tables created"


@dataclass(frozen=True, slots=True)
class PlanAdopted(RunEvent):
    """The run has taken over a newer plan, and what that changes."""

    detail: str

    @property
    def sentence(self) -> str:
        return self.detail


@dataclass(frozen=True, slots=True)
class StreamStart(RunEvent):
    """Where the stream begins, or resumes."""

    position: str
    """The position of all sources."""
    resumed: bool
    """Whether an earlier run had begun."""

    @property
    def sentence(self) -> str:
        return f"{'resuming' if self.resumed else 'starting'} at {self.position}"


@dataclass(frozen=True, slots=True)
class BatchRecovered(RunEvent):
    """What became of the batch that another run had left open."""

    detail: str

    @property
    def sentence(self) -> str:
        return self.detail


@dataclass(frozen=True, slots=True)
class PositionFound(RunEvent):
    """A source continues at another server, or at another place of it, and how that was decided (failover)."""

    detail: str

    @property
    def sentence(self) -> str:
        return self.detail


@dataclass(frozen=True, slots=True)
class SparkStarting(RunEvent):
    """Spark is started, which takes some seconds."""

    @property
    def sentence(self) -> str:
        return "starting Spark"


@dataclass(frozen=True, slots=True)
class SparkStarted(RunEvent):
    """Spark runs."""

    seconds: float
    """How long the run has waited for it."""

    @property
    def sentence(self) -> str:
        return f"Spark has started after {self.seconds:.1f} s"


@dataclass(frozen=True, slots=True)
class ExecutorLost(RunEvent):
    """Spark has lost an executor."""

    executor: str
    """Its number."""
    host: str
    why: str
    """Spark's words, or the master's."""

    @property
    def sentence(self) -> str:
        return f"Spark has lost executor {self.executor} on {self.host}: {self.why}"


@dataclass(frozen=True, slots=True)
class Retry(RunEvent):
    """An attempt has failed by a transient error, and there will be another one."""

    code: str
    """The error's code."""
    error: str
    """Its message, with the code."""
    pause_seconds: float
    """The time until the next attempt."""
    left_seconds: float
    """The time after which the run fails, unless it makes progress."""

    @property
    def sentence(self) -> str:
        return (
            f"{self.error}: retrying in {self.pause_seconds:.0f} s, for {self.left_seconds:.0f} s more unless it makes "
            "progress"
        )


@dataclass(frozen=True, slots=True)
class Throttle(RunEvent):
    """Work pauses between two units, or goes on."""

    work: str
    """"copying", "writing", "comparing" or "DDL"."""
    reasons: str
    """What holds it up, or what has ended."""
    seconds: float | None = None
    """How long it has paused; None where it pauses now."""
    kinds: tuple[HoldKind, ...] = ()
    """The kinds of what holds it up, or of what has ended."""

    @property
    def sentence(self) -> str:
        if self.seconds is None:
            return f"{self.work} pauses: {self.reasons}"
        return f"{self.work} resumes after {self.seconds:.0f} s: {self.reasons}"


@dataclass(frozen=True, slots=True)
class CopyCap(RunEvent):
    """The caps of the copy, as they are from now on. None: no cap."""

    rows_per_second: int | None
    bytes_per_second: int | None

    @property
    def sentence(self) -> str:
        caps = ((self.rows_per_second, "rows"), (self.bytes_per_second, "bytes"))
        named = [f"{cap:,} {unit}/s" for cap, unit in caps if cap is not None]
        return f"copy rate: at most {' and '.join(named)}, on average" if named else "copy rate: throttle removed"


@dataclass(frozen=True, slots=True)
class OperatorPause(RunEvent):
    """An operator has paused the run (`control pause`)."""

    order: str
    """Who, when and why, in words."""
    resume: str
    """The command that resumes it."""

    @property
    def sentence(self) -> str:
        return f"{self.order}: in-flight work is drained, and none starts until `{self.resume}`"


@dataclass(frozen=True, slots=True)
class OperatorResume(RunEvent):
    """An operator has resumed the run."""

    by: str

    @property
    def sentence(self) -> str:
        return f"resumed by {self.by}"


@dataclass(frozen=True, slots=True)
class LogKept(RunEvent):
    """For how long a source keeps its log, when the copy begins. A warning where that may be too short."""

    source: str
    """The source's name."""
    kept: str
    """The time in words."""
    advice: str = ""
    """What to do; empty where it is long enough."""

    @property
    def sentence(self) -> str:
        text = f"{self.source} keeps its log for {self.kept}: a run that is stopped or paused for longer cannot resume"
        return f"warning: {text}{self.advice}" if self.advice else text


@dataclass(frozen=True, slots=True)
class LogPurgeNear(RunEvent):
    """The server may soon purge what the stream has not read."""

    source: str
    """The source's name."""
    message: str
    left_seconds: float | None = None
    """The time after which unread events may be gone; None where the server purges by size."""

    @property
    def sentence(self) -> str:
        return f"warning: {self.source}: {self.message}"


@dataclass(frozen=True, slots=True)
class SourceIsolated(RunEvent):
    """A source cannot be read; the others go on."""

    source: str
    error: str

    @property
    def sentence(self) -> str:
        return f"{self.source} is isolated, the other sources continue: {self.error}"


@dataclass(frozen=True, slots=True)
class SourceBack(RunEvent):
    """A source that was isolated can be read again."""

    source: str

    @property
    def sentence(self) -> str:
        return f"{self.source} can be read again"


@dataclass(frozen=True, slots=True)
class DirectionTurned(RunEvent):
    """A cutover has changed the live directions, and the run continues with what is live now."""

    direction: str
    """"forward" or "backward", from now on."""

    @property
    def sentence(self) -> str:
        return f"a cutover has changed the live directions: the run continues {self.direction}"


@dataclass(frozen=True, slots=True)
class RunFinished(RunEvent):
    """The run has ended by itself, or an operator has stopped it."""

    state: str
    """"caught up", "snapshot complete", "part-way", or "finished"."""
    position: str
    seconds: float
    """Since the run's start."""
    rows_copied: int
    copy_seconds: float
    changes: int
    """Events of the sources that are applied."""
    dead_letters: int
    """Rows in quarantine."""
    interrupted: bool

    @property
    def sentence(self) -> str:
        done = []
        if self.rows_copied:
            rate = self.rows_copied / self.copy_seconds if self.copy_seconds else 0.0
            done.append(f"{self.rows_copied:,} rows copied in {self.copy_seconds:.1f} s ({rate:,.0f} rows/s)")
        if self.changes or not self.rows_copied:
            done.append(f"{self.changes:,} change{'' if self.changes == 1 else 's'} applied")
        return f"{self.state} at {self.position} after {self.seconds:.1f} s: {', '.join(done)}"


@dataclass(frozen=True, slots=True)
class RunFailed(RunEvent):
    """The command has ended with an error."""

    code: str
    """The error's code; empty for one that has none."""
    error: str

    @property
    def sentence(self) -> str:
        return f"failed: {self.error}"
