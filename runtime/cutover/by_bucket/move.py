"""How do some buckets go to the other side? Their writers are kept out, their changes are drained and compared, and the
other side opens. All other buckets go on, and nobody but the writers of these waits.

Used in the driver; writes the rows of buckets on both sides, and the record of the first shard. The commit point is the
first shard's ledger: before it a move that was killed is taken back, after it a repeated command completes it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from shardwright.runtime.cutover.by_bucket.selection import ranges_of
from shardwright.runtime.cutover.by_bucket.sides import close_buckets, hand_over, owners_at_home, require_proved
from shardwright.runtime.cutover.cutover import Cutover
from shardwright.runtime.cutover.hooks import call_hook
from shardwright.runtime.cutover.procedure import Step, Steps, execute_steps, undo_steps
from shardwright.runtime.cutover.steps import drain
from shardwright.runtime.cutover.ways import Way
from shardwright.runtime.events.cutover import CutoverGivenUp, CutoverIncomplete, CutoverProgress
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.buckets import CLOSED, Writer, move_buckets
from shardwright.runtime.ledger.cutover_state import unix_now
from shardwright.runtime.verify.barrier import open_barrier
from shardwright.runtime.verify.both_streams import BothStreams
from shardwright.runtime.verify.final import compare_changes
from shardwright.runtime.verify.moved_rows import ReadSide, compare_moved_rows
from shardwright.runtime.verify.report import as_text
from shardwright.runtime.verify.result import Verdict, VerifyResult
from shardwright.specs.direction import Side

_PATIENCE: Final = 30.0
_FEW_ROWS: Final = 2_000
_AT_MOST: Final = 3
"""Comparisons beside the streams: each has less to do than the one before."""


@dataclass(frozen=True, slots=True)
class Move:
    """As the record has it. `generation` is what the buckets get where they go."""

    to: Side
    buckets: tuple[int, ...]
    generation: int

    @property
    def from_side(self) -> Side:
        return "source" if self.to == "shards" else "shards"

    @property
    def words(self) -> str:
        return f"buckets {ranges_of(self.buckets)} to the {self.to}"

    @classmethod
    def of(cls, cutover: Cutover) -> Self | None:
        """The one that is under way."""
        found = cutover.state.detail.move
        return None if found is None else cls(found["to"], tuple(found["buckets"]), int(found["generation"]))


class BucketMove:
    """One command's work at one move. Rows that were compared before the writers wait are known to it alone."""

    def __init__(self, cutover: Cutover, move: Move) -> None:
        self.cutover = cutover
        self.move = move
        self._beside: VerifyResult | None = None
        self.compared_rows = 0
        self.pause = 0.0

    @property
    def from_way(self) -> Way:
        return self.cutover.ways.way_of_writes(self.move.from_side)

    @property
    def to_way(self) -> Way:
        return self.cutover.ways.other(self.from_way)

    def record(self) -> None:
        move = self.move
        data = {"to": move.to, "buckets": list(move.buckets), "generation": move.generation}
        self.cutover.remember(move=data, fenced_at=None, given_up=None)

    def compare(self) -> None:
        """What has changed since the last comparison, while all applications write."""
        plan, servers, environment = self.from_way.plan, self.from_way.servers, self.from_way.environment
        first, second = (
            open_barrier(way.plan, way.servers, environment, patience=_PATIENCE) for way in (self.from_way, self.to_way)
        )
        assert first is not None and second is not None
        both, direction = BothStreams(first, second), plan.direction.value
        after = self._last_compared_batch()
        for _ in range(_AT_MOST):
            result, last = compare_changes(plan, servers, after=after, moving=both)
            if any(table.verdict is Verdict.DIFFERENT for table in result.tables):
                raise Refused("SW8925", f"rows differ, so no bucket was moved:\n{as_text(result)}")
            self._beside, after = result, last
            if result.rows_compared <= _FEW_ROWS:
                break
        self.cutover.remember(moves_compared={**self.cutover.state.detail.moves_compared, direction: after})

    def _last_compared_batch(self) -> int:
        direction = self.from_way.plan.direction.value
        compared = self.cutover.state.detail.moves_compared.get(direction, 0)
        return max(require_proved(self.from_way).first_batch, compared)

    def close(self) -> None:
        move, cutover = self.move, self.cutover
        cutover.remember(fenced_at=unix_now(cutover.home))
        self._let_write(CLOSED)
        cutover.emit(CutoverProgress("fenced", f"no side takes writes of buckets {ranges_of(move.buckets)}"))

    def open_again(self) -> None:
        self._let_write(self.move.from_side)

    def _let_write(self, writer: Writer) -> None:
        move = self.move
        close_buckets(
            self.cutover.ways,
            move.from_side,
            move.buckets,
            writer=writer,
            before=move.generation,
            within=self.cutover.limits.drain_timeout,
        )

    def drain(self) -> None:
        position = drain(self.cutover, self.from_way)
        self.cutover.emit(
            CutoverProgress("drained", f"everything up to {position} is applied", self.cutover.pause_seconds())
        )

    def prove(self) -> None:
        sides = (ReadSide(way.plan, way.servers) for way in (self.from_way, self.to_way))
        losing, gaining = sides
        self.compared_rows = compare_moved_rows(
            losing, gaining, set(self.move.buckets), after=self._last_compared_batch(), beside=self._beside
        )
        pause = self.cutover.pause_seconds()
        self.cutover.emit(CutoverProgress("proved", f"{self.compared_rows:,} rows compared, all equal", pause))
        self.cutover.require_in_time()

    def commit(self) -> None:
        """The first shard's rows say who writes; no other row is ever newer."""
        move, migration = self.move, self.cutover.ways.migration
        self.cutover.write(
            also=lambda c: move_buckets(c, migration, move.buckets, move.to, move.generation),
            detail=replace(self.cutover.state.detail, pause=round(self.cutover.pause_seconds(), 3)),
        )

    def is_committed(self) -> bool:
        owners = owners_at_home(self.cutover.home, self.cutover.ways.migration)
        return all(owners[bucket].generation >= self.move.generation for bucket in self.move.buckets)

    def open(self) -> None:
        """On the side that has them now, and then the other one learns it."""
        move = self.move
        for side in (move.to, move.from_side):
            hand_over(self.cutover.ways, side, move.buckets, writer=move.to, generation=move.generation)

    def end(self) -> None:
        move, cutover = self.move, self.cutover
        self.pause = cutover.state.detail.pause or 0.0
        hook = cutover.ways.environment.cutover.hooks.switched
        if hook is not None:
            buckets = {"buckets": ranges_of(move.buckets), "bucket_generation": move.generation}
            call_hook(hook, {"migration": cutover.ways.migration, "writes_to": move.to, **buckets})
        cutover.remember(move=None, fenced_at=None)
        cutover.audit("buckets moved", f"{move.words}, generation {move.generation}")
        cutover.emit(CutoverProgress("switched", f"writes of {move.words}", self.pause, move.to))

    def up_to_the_commit(self) -> Steps:
        """Undone where one fails."""
        return (
            Step("move-record", lambda _: self.record()),
            Step("move-compare", lambda _: self.compare()),
            Step("move-close", lambda _: self.close(), undo=lambda _: self.open_again()),
            Step("move-drain", lambda _: self.drain()),
            Step("move-prove", lambda _: self.prove()),
            Step("move-commit", lambda _: self.commit()),
        )

    def completion(self) -> Steps:
        """Behind the commit nothing is undone; a repeated command takes them again."""
        return (Step("move-open", lambda _: self.open()), Step("move-end", lambda _: self.end()))


def move_to(cutover: Cutover, to: Side, buckets: Collection[int]) -> BucketMove | None:
    """Moves those of `buckets` that are not there yet; or completes the move that another command has begun. None where
    nothing is to be done. Within `begin`. Raises Refused, after it has opened the buckets where they were."""
    begun = Move.of(cutover)
    if begun is not None:
        work = BucketMove(cutover, begun)
        if work.is_committed():
            execute_steps(work.completion(), cutover)
        else:
            give_up_move(cutover, "a command that was killed")
    owners = owners_at_home(cutover.home, cutover.ways.migration)
    wanted = tuple(sorted(bucket for bucket in buckets if owners[bucket].writer != to))
    if not wanted:
        return None
    newest = max(owner.generation for owner in owners.values())
    work = BucketMove(cutover, Move(to, wanted, newest + 1))
    try:
        execute_steps(work.up_to_the_commit(), cutover)
    except BaseException as error:
        _open_again(cutover, work, error)
        raise
    execute_steps(work.completion(), cutover)
    return work


def give_up_move(cutover: Cutover, reason: str) -> None:
    """The old side takes the buckets' writes again. Within `begin`; may be repeated. Raises Refused (SW8915) behind the
    commit, where only a move in the other direction leads back."""
    move = Move.of(cutover)
    if move is None:
        return
    work = BucketMove(cutover, move)
    if work.is_committed():
        raise Refused("SW8915", f"{move.words}: they are there already; repeat the command, which completes the rest")
    undo_steps(work.up_to_the_commit(), cutover)
    cutover.remember(move=None, fenced_at=None, given_up=reason)
    cutover.audit("move of buckets given up", f"{move.words}: {reason}")
    cutover.emit(CutoverGivenUp(move.from_side, reason))


def _open_again(cutover: Cutover, work: BucketMove, error: BaseException) -> None:
    """Gives up after `error`. What prevents that is said, and does not hide the error."""
    try:
        cutover.read()
        if work.is_committed():
            cutover.emit(CutoverIncomplete(f"{work.move.words}: repeat the command, which completes the rest"))
        else:
            give_up_move(cutover, str(error) or type(error).__name__)
    except Exception as second:  # noqa: BLE001 whatever it is, the operator has to act
        cutover.emit(CutoverIncomplete(f"buckets may still be closed ({second}): run `shardwright cutover abort`"))


def as_json(work: BucketMove | None, cutover: Cutover) -> dict[str, Any]:
    """What a command has done."""
    moved = {} if work is None else {"to": work.move.to, "buckets": ranges_of(work.move.buckets)}
    pause = 0.0 if work is None else work.pause
    return {**moved, "state": cutover.state.state, "pause_seconds": pause}
