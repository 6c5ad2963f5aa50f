"""Which commands make sense now? One function over what an answer knows of a migration.

Pure; used in the process of the command. Answers in JSON carry the commands as `next`, texts end with them.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

ENV: Final = "ENV"
"""In place of an environment's name where none is known."""
_MOST_CODES: Final = 3
_MOST_NAMES: Final = 3


@dataclass(frozen=True, slots=True)
class Command:
    """What can be given now, and why."""

    command: str
    why: str


@dataclass(frozen=True, slots=True)
class Target:
    """What the commands are about, as the command line of the answer has named it."""

    environment: str = ENV
    migration: str | None = None
    """None: the only one."""


@dataclass(frozen=True, slots=True)
class SpecFacts:
    """Specs were checked (`validate`, `compile` and others)."""

    errors: tuple[str, ...]
    """The codes of the errors, the first one first."""
    has_plans: bool
    """Whether plans were written, or are current."""


@dataclass(frozen=True, slots=True)
class PreflightFacts:
    """The checks of `preflight` were made."""

    refused: tuple[str, ...]
    """The codes for which a run would be refused."""
    unknown: bool
    """Whether a server could not be asked."""


@dataclass(frozen=True, slots=True)
class MigrationFacts:
    """A migration as its ledgers have it (`status`, `control status`)."""

    begun: bool
    """Whether a run has begun it."""
    copied: bool = False
    """All rows are copied, and the stream has passed the high watermark."""
    caught_up: bool = False
    """Whether the stream is at the end of its sources."""
    live: bool | None = None
    """Whether a run is connected; None where it was not asked."""
    paused: bool = False
    """By an operator."""
    rows_held: int = 0
    """Rows in quarantine."""
    verified: bool | None = False
    """Whether a whole comparison counts for a cutover; None where it was not asked."""
    reads_shards: bool = False
    """Applications write to the shards, and the source follows."""


@dataclass(frozen=True, slots=True)
class ComparisonFacts:
    """What `verify` has found."""

    verdict: Literal["equal", "different", "could_not_check"]
    whole: bool
    """Whether all rows were compared."""
    report: str | None = None
    """The file with the result in JSON, as `repair` reads it."""
    reads_shards: bool = False


@dataclass(frozen=True, slots=True)
class CutoverFacts:
    """How far a cutover is (`cutover status`)."""

    state: str
    to: str | None
    """Where a cutover under way goes: "shards" or "source"."""
    fences: tuple[str, ...]
    """The sides whose fence is set."""
    by_bucket: bool = True
    """Whether each side takes the writes of its own buckets, while both take some."""
    conflicts_held: int = 0
    """How many conflicts wait for a decision."""


@dataclass(frozen=True, slots=True)
class GateFacts:
    """The gates of a cutover were checked (`cutover --dry-run`)."""

    refused: tuple[str, ...]
    """The codes for which it would be refused."""
    to: str
    """Where it would go: "shards" or "source"."""


@dataclass(frozen=True, slots=True)
class LetterFacts:
    """Dead letters (`dead-letters list`)."""

    rows: int


@dataclass(frozen=True, slots=True)
class DdlFacts:
    """DDL that is routed to the shards (`ddl plan`, `ddl status`)."""

    missing: bool
    """Whether a physical table lacks a change."""
    drift: bool = False
    """Whether a physical table differs from its definition."""
    allow: tuple[str, ...] = ()
    """The codes that `ddl apply` asks for."""


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """The migrations that are on an environment's servers (`status --all`)."""

    migrations: tuple[str, ...]


State = (
    SpecFacts
    | PreflightFacts
    | MigrationFacts
    | ServerFacts
    | ComparisonFacts
    | CutoverFacts
    | GateFacts
    | LetterFacts
    | DdlFacts
)


def next_commands(state: State, target: Target) -> tuple[Command, ...]:
    """The most useful one first; empty where there is nothing to do."""
    return tuple(Command(f"shardwright {_about(words, target)}", why) for words, why in _choose(state))


def _about(words: str, target: Target) -> str:
    """The verb and its arguments, about the environment and the migration of `target` where the verb asks for them."""
    if words.split()[0] in ("explain", "compile"):
        return words
    named = f"{words} --env {target.environment if target.environment == ENV else shlex.quote(target.environment)}"
    return named if target.migration is None else f"{named} --migration {shlex.quote(target.migration)}"


def _choose(state: State) -> Iterator[tuple[str, str]]:
    match state:
        case SpecFacts():
            yield from _after_checks(state)
        case PreflightFacts():
            yield from _explain(state.refused)
            if state.refused or state.unknown:
                yield "preflight", "once that is done, check again"
            else:
                yield "run", "nothing keeps a run from starting"
        case MigrationFacts():
            yield from _while_migrating(state)
        case ComparisonFacts():
            yield from _after_comparison(state)
        case CutoverFacts():
            yield from _while_cutting_over(state)
        case ServerFacts():
            yield from _per_migration(state)
        case GateFacts():
            yield from _explain(state.refused)
            words = "cutover rollback" if state.to == "source" else "cutover"
            if state.refused:
                yield f"{words} --dry-run", "once that is done, check again"
            else:
                yield words, "nothing keeps it from starting"
        case LetterFacts(rows=0):
            yield "status", "no row is held"
        case LetterFacts():
            yield "dead-letters retry", "once the cause is fixed, the run reads the rows again"
            yield "dead-letters discard --reason TEXT", "leave the rows on the shards as they are"
        case DdlFacts():
            if state.missing:
                allow = f" --allow {','.join(state.allow)}" if state.allow else ""
                yield f"ddl apply{allow}", "physical tables lack a change"
            if state.drift:
                yield "ddl plan --drift", "physical tables differ: statements that fix them, for review"


def _per_migration(state: ServerFacts) -> Iterator[tuple[str, str]]:
    for name in state.migrations[:_MOST_NAMES]:
        yield f"status --migration {shlex.quote(name)}", "chunks, positions, shards and the last decisions"
    if not state.migrations:
        yield "preflight", "check everything that a run needs"


def _explain(codes: Iterable[str]) -> Iterator[tuple[str, str]]:
    for code in [*dict.fromkeys(codes)][:_MOST_CODES]:
        yield f"explain {code}", "what it means and what to do"


def _after_checks(state: SpecFacts) -> Iterator[tuple[str, str]]:
    yield from _explain(state.errors)
    if state.errors:
        return
    if state.has_plans:
        yield "preflight", "check everything that a run needs"
        yield "run", "create tables, copy, follow the stream"
    else:
        yield "compile", "make the plans"


def _while_migrating(state: MigrationFacts) -> Iterator[tuple[str, str]]:
    if not state.begun:
        yield "preflight", "check everything that a run needs"
        yield "run", "it begins the migration"
        return
    if state.paused:
        yield "control resume", "the migration is paused"
    if state.live is False:
        yield "run --until forever", "no run is connected: it resumes where the last one ended"
    elif state.live and not state.caught_up:
        yield "status --watch", "a run is at work"
    if state.rows_held:
        yield "dead-letters list", f"{state.rows_held} rows are held"
    if state.copied and state.caught_up and not state.rows_held and state.verified is not None:
        yield from _to_the_cutover(reads_shards=state.reads_shards, verified=state.verified)


def _to_the_cutover(*, reads_shards: bool, verified: bool) -> Iterator[tuple[str, str]]:
    if not verified:
        yield "verify", "no comparison counts for a cutover"
    elif reads_shards:
        yield "cutover rollback --dry-run", "what a way back would do"
        yield "cutover finish", "end the migration: then there is no way back"
    else:
        yield "cutover --dry-run", "both sides were found equal: check the gates of a cutover"


def _after_comparison(state: ComparisonFacts) -> Iterator[tuple[str, str]]:
    if state.verdict == "different":
        if state.report is None:
            yield "verify --report json=result.json", "a result that `repair` reads"
        report = shlex.quote(state.report or "result.json")
        yield f"repair {report} --dry-run", "what would bring the rows to what they should be"
    elif state.verdict == "could_not_check":
        yield "status", "is a run connected, and how far is it behind?"
        yield "verify", "compare again; a row that changes all the time stays inconclusive until its writer pauses"
    elif state.whole:
        yield from _to_the_cutover(reads_shards=state.reads_shards, verified=True)


def _while_cutting_over(state: CutoverFacts) -> Iterator[tuple[str, str]]:
    again = "cutover rollback" if state.to == "source" else "cutover"
    match state.state:
        case "following":
            yield "cutover --dry-run", "check the gates of a cutover"
        case "reversing":
            yield "verify", "compare both sides"
            yield "cutover rollback --dry-run", "what a way back would do"
            yield "cutover finish", "end the migration: then there is no way back"
        case "sharing" if not state.by_bucket:
            if state.conflicts_held:
                yield "conflicts list --held", f"{state.conflicts_held} conflicts wait for a decision"
            yield "verify", "compare both sides"
            yield "cutover", "all writes to the shards, and the source is closed"
            yield "cutover rollback", "all writes to the source, and the shards are closed"
        case "sharing":
            yield "cutover --percent 10", "move the writes of more buckets"
            yield "cutover rollback --buckets LIST", "bring buckets back"
            yield "cutover --buckets all", "move the rest"
        case "finishing":
            yield "cutover finish", "the end was interrupted: it continues"
        case "finished":
            if state.fences:
                yield "cutover unfence", f"the fence of the {', '.join(state.fences)} is still set"
        case "switched":
            yield again, "the switch is made, but not recorded everywhere: it continues"
        case _:
            yield again, f"where it has stopped in state {state.state}: it continues"
            yield "cutover abort", "or lift the fence"


def target_of(arguments: argparse.Namespace) -> Target:
    """As the command line names it."""
    return Target(getattr(arguments, "env", None) or ENV, getattr(arguments, "migration", None))


def as_json(state: State, arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """The value of `next`."""
    return [asdict(command) for command in next_commands(state, target_of(arguments))]


def as_lines(state: State, arguments: argparse.Namespace, *, mark: str = "") -> str:
    """A line for each command, which a shell takes as it is behind "next:"."""
    return _lines(next_commands(state, target_of(arguments)), mark)


def _lines(commands: Sequence[Command], mark: str) -> str:
    return "\n".join(f"{mark}next: {one.command}  # {one.why}" for one in commands)
