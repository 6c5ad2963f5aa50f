"""How do applications' writes go from one side to the other? By states, each entered in one transaction of the first
shard's ledger. A command that was killed is repeated and resumes, or opens the old side again.

Runs in the driver; writes ledgers and switch rows on both sides, and sets and lifts fences.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final

from pymysql.connections import Connection

from shardwright.runtime.cutover.arm import arm
from shardwright.runtime.cutover.fences.fence import Fence
from shardwright.runtime.cutover.fences.sessions import clients_ended
from shardwright.runtime.cutover.fencing import fence_of
from shardwright.runtime.cutover.hand_over import end_stream, take_back
from shardwright.runtime.cutover.hooks import call_hook
from shardwright.runtime.cutover.lock import alone
from shardwright.runtime.cutover.next_ids import seed, seeds
from shardwright.runtime.cutover.proof import Proof
from shardwright.runtime.cutover.source_triggers import (
    SourceTrigger,
    create_triggers,
    drop_triggers,
    dropped_triggers,
    find_triggers,
    forget_triggers,
    record_triggers,
    with_found,
)
from shardwright.runtime.cutover.ways import Way, Ways
from shardwright.runtime.events.cutover import (
    CutoverGivenUp,
    CutoverIncomplete,
    CutoverProgress,
    NextNumber,
    TriggersDropped,
)
from shardwright.runtime.events.event import Emit, ignore
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import Refused, StoppedPartWay
from shardwright.runtime.ledger.audit import audit
from shardwright.runtime.ledger.batches import MigrationState, read_migration
from shardwright.runtime.ledger.cutover import live_directions
from shardwright.runtime.ledger.cutover_state import (
    CutoverDetail,
    CutoverState,
    State,
    begin_record,
    read_cutover,
    resting,
    unix_now,
    write_cutover,
)
from shardwright.runtime.ledger.dead_letters import held_rows
from shardwright.runtime.ledger.members import last_batch_with_work
from shardwright.runtime.ledger.switch_row import write_switch
from shardwright.runtime.ledger.verified import ProvedEqual
from shardwright.runtime.mysql.transactions import in_transaction
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.sources.source import has_reached, head_position, marked_position, sources_at
from shardwright.specs.direction import Side

_LOOK_EVERY: Final = 0.02


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a cutover may keep writers out, in seconds."""

    max_pause: float
    """From the fence to the switch; it gives up and lifts the fence when that takes longer."""
    drain_timeout: float
    """Open transactions may take so long behind the fence; then they are killed."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a cutover has done."""

    state: CutoverState
    pause: float
    """Seconds in which neither side took writes."""
    proved: Mapping[str, Any]
    """What the final compare covered, for the report."""
    rehearsal: bool = False


@dataclass
class Cutover:
    """One command at a time works with the state of a migration."""

    ways: Ways
    limits: Limits
    emit: Emit = ignore
    state: CutoverState = field(init=False, default=CutoverState())
    _home: Connection[Any] = field(init=False)

    @contextmanager
    def begun(self) -> Iterator[CutoverState]:
        """The state, while no other command changes it. Raises Refused (SW8911) while one is at work."""
        with self._at_home():
            begin_record(self._home, self.ways.migration)
            self._read()
            yield self.state

    @contextmanager
    def _at_home(self) -> Iterator[None]:
        with closing(self.ways.home()) as self._home, alone(self._home, self.ways.migration):
            yield

    # -- forward through the states ------------------------------------------------------------------------------

    def execute(self, proof: Proof, to: Side, *, rehearsal: bool = False) -> Outcome:
        """From the gates, which hold, to the switch; or from where another process was stopped. Within `begun`.

        Raises StoppedPartWay or Refused after it has lifted the fence again; what was found is in the message.
        """
        if self.state.state != "switched":
            self._enter_ready(to, rehearsal=rehearsal, compared=proof.compared)
            try:
                self._up_to_the_switch(proof)
            except BaseException as error:
                self._opened_again(error)
                raise
            if self._is_rehearsal:
                pause = self._paused()
                self.remember(rehearsed={"to": to, "pause": round(pause, 3)})
                self.give_up("rehearsed")
                return Outcome(self.state, pause, self.state.detail.proved or {}, rehearsal=True)
        try:
            self._complete()
        except BaseException:
            self._say_switched()
            raise
        detail = self.state.detail
        assert detail.pause is not None and detail.proved is not None
        return Outcome(self.state, detail.pause, detail.proved)

    def _enter_ready(self, to: Side, *, rehearsal: bool, compared: int) -> None:
        if not self.state.is_fenced:
            kept = CutoverDetail(fences=self.state.fences, rehearsed=self.state.detail.rehearsed)
            self._write(state="ready", detail=replace(kept, compared=compared, to=to, rehearsal=rehearsal))

    def _up_to_the_switch(self, proof: Proof) -> None:
        self._stop_writes()
        if not self._stream_has_ended():
            self._prove(proof)
            if self._is_rehearsal:
                for found in seeds(self._current, self._following):
                    self.emit(NextNumber(str(found), only_shown=True))
                return
            self._require_in_time()
            self._hand_over()
        if self.state.state != "armed":
            if self._current.side == "shards":  # the way back has ended, and the source is still closed
                self._create_triggers()
            failpoint("before-armed")
            self._write(state="armed")
        self.emit(CutoverProgress("armed", f"the {self._current.plan.direction} stream has ended"))
        self._require_in_time()
        failpoint("before-switch")
        self._switch()
        failpoint("after-switch")

    def _stop_writes(self) -> None:
        current = self._current
        fence = self._fence(current)
        failpoint("before-fence")
        if current.side not in self.state.fences:
            undo = {**self.state.fences, current.side: fence.before()}
            self.remember(fences=undo, fenced_at=unix_now(self._home))
        failpoint("after-fence-recorded")
        before = clients_ended()
        fence.set(self.state.fences[current.side], drain_timeout=self.limits.drain_timeout)
        self._audit("fence set", f"{current.side}, {fence.kind}; {clients_ended() - before} connections of users ended")
        failpoint("after-fence")
        if self.state.state == "ready":
            self._write(state="fenced")
        stopped = f"writes to {current.side} are stopped ({fence.kind}), open transactions have ended"
        self.emit(CutoverProgress("fenced", stopped))

    def _prove(self, proof: Proof) -> None:
        """Everything is on the other side, and equal."""
        current = self._current
        cut = self._drained(current)
        failpoint("before-drained")
        self._write(state="drained")
        self.emit(CutoverProgress("drained", f"everything up to {cut.position} is applied", self._paused()))
        with closing(current.control()) as control:
            applied = last_batch_with_work(control, self.ways.migration)
        assert self.state.detail.compared is not None
        found = proof.at_the_cut(current, after=self.state.detail.compared)
        failpoint("before-proved")
        self._write(state="proved", detail=replace(self.state.detail, proved=found, applied=applied))
        self.emit(CutoverProgress("proved", found["summary"], self._paused()))

    def _hand_over(self) -> None:
        """The other direction begins where its logs end, and this one ends."""
        current, following = self._current, self._following
        self._seed(current, following)
        if current.side == "source":
            self._drop_triggers(following)
        arm(following.plan, following.servers, following.sources, proved=self._proved_equal())
        with closing(current.control()) as control:
            state = read_migration(control, self.ways.migration)
        assert state is not None
        self.remember(cut=head_position(sources_at(current.logs, state.position)).to_text())
        behind = marked_position(sources_at(current.sources, state.position))
        assert self.state.detail.applied is not None
        end_stream(current, behind=behind, applied=self.state.detail.applied, within=self._left())

    def _seed(self, current: Way, following: Way) -> None:
        """Before the other direction begins: what this leaves in the logs of the new side is no change to follow."""
        if not current.plan.ids:
            return
        seeded = seed(current, following)
        failpoint("after-ids-set")
        now = replace(self.state, detail=replace(self.state.detail, next_ids=tuple(seeded)))

        def record(connection: Connection[Any]) -> None:
            write_cutover(connection, self.ways.migration, self.state, now)
            audit(connection, self.ways.migration, "next ids", detail="; ".join(seeded))

        in_transaction(self._home, record)
        failpoint("after-ids-recorded")
        self._read()
        for line in seeded:
            self.emit(NextNumber(line))

    def _drop_triggers(self, back: Way) -> None:
        """Before the run looks for triggers that would act on what it writes. What brings them back is recorded
        first."""
        triggers = with_found(self._dropped(), find_triggers(back))
        if not triggers:
            return
        record_triggers(back, triggers)
        failpoint("after-triggers-recorded")
        drop_triggers(back, triggers)
        self._audit("triggers dropped", ", ".join(map(str, triggers)))
        self.emit(TriggersDropped(tuple(map(str, triggers))))

    def _create_triggers(self) -> None:
        triggers = self._dropped()
        create_triggers(self.ways.backward, triggers)
        if triggers:
            self._audit("triggers created", ", ".join(map(str, triggers)))

    def _audit(self, what: str, detail: str) -> None:
        audit(self._home, self.ways.migration, what, detail=detail)

    def _dropped(self) -> list[SourceTrigger]:
        return dropped_triggers(self.ways.backward)

    def _proved_equal(self) -> ProvedEqual:
        assert self.state.detail.proved is not None
        verified = self.state.detail.proved["verified"]
        since = datetime.fromisoformat(verified["began_at"]).replace(tzinfo=UTC).timestamp()
        return ProvedEqual(max(0.0, unix_now(self._home) - since), verified["compared_rows"])

    def _stream_has_ended(self) -> bool:
        """An earlier command has come so far that the stream has ended."""
        current = self._current
        with closing(current.control()) as control:
            return current.plan.direction not in live_directions(control, self.ways.migration)

    def _switch(self) -> None:
        generation, to = self.state.generation + 1, self._following.side
        now = replace(
            self.state,
            state="switched",
            writes_to=to,
            generation=generation,
            detail=replace(self.state.detail, pause=round(self._paused(), 3)),
        )

        def switch(connection: Connection[Any]) -> None:
            write_cutover(connection, self.ways.migration, self.state, now)
            write_switch(connection, self.ways.migration, to, generation)

        in_transaction(self._home, switch)
        self._read()

    def _complete(self) -> None:
        """After the switch: the new side is opened, all switch rows are written, and the hook is called."""
        side = self.state.writes_to
        written = self.ways.written(side)
        if side in self.state.fences:
            self._lift(written, self.state.fences[side])
            failpoint("after-new-side-opened")
            self._forget_fence(side)
        # The new side's own rows first: its ledgers are those of the direction that has ended.
        for way in (self.ways.other(written), written):
            for _, connection in way.servers.each_shard():
                in_transaction(
                    connection,
                    lambda c: write_switch(c, self.ways.migration, side, self.state.generation),
                )
                failpoint("after-switch-row")
        hook = self.ways.environment.cutover.hooks.switched
        if hook is not None:
            call_hook(hook, {"migration": self.ways.migration, "writes_to": side, "generation": self.state.generation})
            self._audit("hook called", f"switched: writes to {side}, generation {self.state.generation}")
        failpoint("before-switched-done")
        self._rest(side)
        self.emit(CutoverProgress("switched", f"writes go to {side}, generation {self.state.generation}"))

    # -- back ----------------------------------------------------------------------------------------------------

    def give_up(self, reason: str) -> None:
        """The old side takes writes again, and its stream continues. Within `begun`; may be repeated.

        Raises Refused (SW8915) behind the switch, where only a cutover in the other direction leads back.
        """
        state = self.state
        if state.state in ("switched", "finishing", "finished"):
            raise Refused(
                "SW8915",
                f"{self.ways.migration} has switched (state {state.state}): nothing is aborted any more, only `cutover "
                "rollback` leads back",
            )
        if state.at_rest:
            return
        current, following = self._current, self._following
        failpoint("before-give-up")
        if state.state in ("proved", "armed"):
            if current.side == "shards":  # its run would meet them again
                drop_triggers(self.ways.backward, self._dropped())
            take_back(current, following)
        if current.side == "source":
            self._create_triggers()
        if current.side in state.fences:
            self._lift(current, state.fences[current.side])
            failpoint("after-fence-lifted")
            self._forget_fence(current.side)
        failpoint("before-opened")
        self._rest(state.writes_to, given_up=reason)
        self._audit("cutover given up", reason)
        self.emit(CutoverGivenUp(current.side, reason))

    def lift_last_fences(self) -> tuple[Side, ...]:
        """After `finish`: clients may write to the old tables again. Within `begun`. Returns the sides that were
        fenced. Raises Refused (SW8915) before, while such writes would be lost or come back."""
        if self.state.state != "finished":
            raise Refused(
                "SW8915",
                f"{self.ways.migration} is not finished (state {self.state.state}): `cutover abort` opens the side "
                "again before the switch, `cutover rollback` leads back after it",
            )
        lifted = tuple(self.state.fences)
        for side in lifted:
            self._lift(self.ways.written(side), self.state.fences[side])
            self._forget_fence(side)
        return lifted

    def _opened_again(self, error: BaseException) -> None:
        """Gives up after `error`. What prevents that is said, and does not hide the error. Where the connection to the
        first shard is lost, its lock is, too: both are taken again."""
        try:
            with nullcontext() if self._home.open else self._at_home():
                self._read()
                if self.state.state != "switched":
                    self.give_up(str(error) or type(error).__name__)
                else:  # the answer to that transaction was lost
                    self._say_switched()
        except Exception as second:  # noqa: BLE001 whatever it is, the operator has to act
            self.emit(CutoverIncomplete(f"the fence may still be set ({second}): run `shardwright cutover abort`"))

    def _say_switched(self) -> None:
        side = self.state.writes_to
        self.emit(CutoverIncomplete(f"writes go to {side} already: repeat the command, which completes the rest"))

    def enter(self, state: State) -> None:
        """Within `begun`."""
        self._write(state=state)

    def remember(self, **found: Any) -> None:
        """Add to the details of the state, which others read later. Within `begun`."""
        self._write(detail=replace(self.state.detail, **found))

    # -- what the states need ------------------------------------------------------------------------------------

    @property
    def _current(self) -> Way:
        return self.ways.written(self.state.writes_to)

    @property
    def _following(self) -> Way:
        return self.ways.other(self._current)

    @property
    def _is_rehearsal(self) -> bool:
        return self.state.detail.rehearsal

    def _fence(self, way: Way) -> Fence:
        return fence_of(way, self.state.generation)

    def _lift(self, way: Way, before: Any) -> None:
        fence = self._fence(way)
        fence.lift(before)
        self._audit("fence lifted", f"{way.side}, {fence.kind}")

    def _drained(self, current: Way) -> MigrationState:
        """The ledger once it has passed the end of all logs, in which nobody writes any more, and no row waits to be
        read again."""
        with closing(current.control()) as control:
            head: StreamPosition | None = None
            while True:
                state = read_migration(control, self.ways.migration)
                assert state is not None
                sources = sources_at(current.sources, state.position)
                head = head or marked_position(sources)
                if has_reached(sources, state.position, head):
                    now = head_position(sources)
                    if _servers(now) == _servers(head):
                        held_rows(control, self.ways.migration, within=self._left())
                        return state
                    head = None  # another server holds a source by now: its log ends elsewhere
                    continue
                self._require_in_time()
                time.sleep(_LOOK_EVERY)

    def _paused(self) -> float:
        """Seconds since the fence began."""
        assert self.state.detail.fenced_at is not None
        return unix_now(self._home) - self.state.detail.fenced_at

    def _left(self) -> float:
        return max(0.0, self.limits.max_pause - self._paused())

    def _require_in_time(self) -> None:
        if self._left() <= 0:
            raise StoppedPartWay(
                "SW8913",
                f"writers have waited longer than {self.limits.max_pause:g} s, so the fence is lifted again: see which "
                "step took long, or allow more with --max-pause",
            )

    def _write(self, **changes: Any) -> None:
        now = replace(self.state, **changes)
        in_transaction(self._home, lambda c: write_cutover(c, self.ways.migration, self.state, now))
        self._read()

    def _rest(self, side: Side, **found: Any) -> None:
        """Nothing is under way. While applications write to the source it has its own triggers."""
        if side == "source":
            forget_triggers(self.ways.backward)
        self._write(state=resting(side), detail=replace(self.state.detail, **found))

    def _read(self) -> None:
        self.state = read_cutover(self._home, self.ways.migration)

    def _forget_fence(self, side: Side) -> None:
        self.remember(fences={name: undo for name, undo in self.state.fences.items() if name != side})


def _servers(position: StreamPosition) -> set[tuple[int, str | None]]:
    """The servers that hold the sources, and how many have held each before."""
    return {(part.epoch, part.server) for part in position.logs.values()}
