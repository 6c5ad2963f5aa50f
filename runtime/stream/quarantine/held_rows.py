"""Held keys beside the stream: a row that a target refuses is held, in the books before anything else happens; its events no
longer reach the batches and are kept with it; a batch that was staged already goes on without it (C1)."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.compiler.sql.sql_text import quoted
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.audit import audit
from shardwright.runtime.ledger.dead_letters import (
    HeldKey,
    Letter,
    Place,
    add_events,
    add_places,
    hold,
    read_letters,
)
from shardwright.runtime.ledger.fencing import Writer
from shardwright.runtime.mysql.keys import key_list
from shardwright.runtime.mysql.rejected_rows import key_of, refused_staged
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.transactions import execute, query
from shardwright.runtime.sources.source import Sources
from shardwright.runtime.stream.apply.apply import Applier, RowRefused, StagedBatch, UniqueCollision
from shardwright.runtime.stream.quarantine.held_events import LetIn, held_events, let_in, offer_keys

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_MASKED = "(masked)"
COPIED = 0
"""In place of a batch's number."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A row to be held, and why."""

    held: HeldKey
    code: str
    reason: str


@dataclass
class DeadLetters:
    """All held keys of the migration, as the books have them. Those in `answering` are let through by the batch under way."""

    plan: Plan
    servers: Servers
    control: Connection[Any]
    writer: Writer
    say: Callable[[str], None] = lambda _sentence: None
    letters: dict[HeldKey, Letter] = field(default_factory=dict)
    answering: set[HeldKey] = field(default_factory=set)
    _let_in: LetIn = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.read()

    def read(self) -> None:
        self.letters = {letter.held: letter for letter in read_letters(self.control, self.plan.migration)}

    def count(self) -> int:
        """Rows that wait for somebody's decision."""
        return sum(letter.state != "answered" for letter in self.letters.values())

    @property
    def tables(self) -> frozenset[str]:
        """The logical tables that have held keys."""
        return frozenset(held.logical for held in self.letters)

    def refusal(self, logical: str, key: Sequence[str], code: str, *, reason: str) -> Refusal:
        return Refusal(self._known(logical, key), code, reason)

    def held(self, logical: str) -> frozenset[tuple[str, ...]]:
        """The keys whose events are kept from the targets."""
        letters = self.letters.values()
        return frozenset(item.held.key for item in letters if item.held.logical == logical and item.state != "answered")

    def hold(self, refusals: Collection[Refusal], *, batch: int) -> None:
        """`batch` is COPIED for rows of chunks; none may be under way then. Raises Refused (SW8512) when more rows of a table would
        be held than its spec allows."""
        new = {refusal.held for refusal in refusals} - self.letters.keys()
        for logical in sorted({held.logical for held in new}):
            known = (held for held, letter in self.letters.items() if letter.state != "answered")
            count = sum(held.logical == logical for held in (*known, *new))
            if count > self.plan.quarantine.get(logical, 0):
                first = next(refusal for refusal in refusals if refusal.held.logical == logical)
                raise Refused(
                    "SW8512",
                    f"{count} rows of {logical} would be held as dead letters, and at_most allows "
                    f"{self.plan.quarantine.get(logical, 0)}; one of them: {first.held}: {first.reason}",
                )

        def record(connection: Connection[Any]) -> None:
            for item in refusals:
                hold(connection, self.plan.migration, item.held, code=item.code, reason=item.reason, batch=batch)
                audit(
                    connection,
                    self.plan.migration,
                    "row held",
                    detail=f"{f'batch {batch}' if batch else 'copied'}: {item.held}: {item.code}: {item.reason}",
                )

        self.writer.transaction(self.control, record)
        failpoint("after-row-held")
        self.answering -= {item.held for item in refusals}
        self.read()
        for item in refusals:
            self.say(f"held as a dead letter: {item.held}: {item.code}: {item.reason}")

    def offer(self, frame: DataFrame) -> None:
        """Make the view that batches are joined against: for the events that `keep_events` was last given."""
        waiting = [letter for held, letter in self.letters.items() if held not in self.answering]
        offer_keys(frame, waiting, self._let_in)

    def keep_events(self, changes: DataFrame, logicals: Collection[str], sources: Sources) -> None:
        """What a batch holds of held keys goes to the letters. An event that is read again is not counted again."""
        if self.letters:
            self.read()  # an operator may have answered some
        touched = sorted(self.tables & set(logicals))
        if not touched:
            return
        self._let_in = let_in(changes, self.plan, sources, self.letters.values(), touched)
        self.offer(changes)
        found = [row for row in held_events(changes, self.plan, touched) if self._is_news(row)]
        if not found:
            return

        def record(connection: Connection[Any]) -> None:
            for row in found:
                self._keep(connection, row)

        self.writer.transaction(self.control, record)
        failpoint("after-held-events-recorded")
        self.read()

    def _is_news(self, row: Any) -> bool:
        return row["events"] > 0 or not _places(row) <= self.letters[self._held(row)].places

    def _keep(self, connection: Connection[Any], row: Any) -> None:
        migration, letter, at = self.plan.migration, self.letters[self._held(row)], row["position"]
        if not row["events"]:
            add_places(connection, migration, letter, _places(row))
            return
        add_events(
            connection,
            migration,
            letter,
            events=row["events"],
            last_position=(at["epoch"], at["file"], at["offset"], at["row"]),
            last_op=row["op"],
            image=_without_masked(self.plan.table(row["logical"]), row["image"]),
            places=_places(row),
        )

    def _held(self, row: Any) -> HeldKey:
        return self._known(row["logical"], row["key"])

    def _known(self, logical: str, key: Sequence[str]) -> HeldKey:
        """Which of its sources the row is from, a letter says: it was found there. Rows that are refused are of tables with one source."""
        for held in self.letters:
            if (held.logical, held.key) == (logical, tuple(key)):
                return held
        return HeldKey(logical, str(self.plan.table(logical).sources[0]), tuple(key))

    def apply(self, applier: Applier, staged: StagedBatch) -> None:
        """Apply a staged batch; a row that collides with one outside the batch is held and taken out of the stages."""
        self.take_out(staged.batch)  # what an earlier run has held and not taken out any more
        while True:
            try:
                applier.apply(staged)
            except UniqueCollision as collision:
                if collision.key is None:
                    raise
                kinds = [column.type for column in self.plan.table(collision.logical).key_columns]
                key = key_of(collision.key, kinds)
                self._require_may_hold(collision.logical, key, collision)
                refusals = [self.refusal(collision.logical, key, "SW8303", reason=collision.message)]
            except RowRefused as refused:
                refusals = self._found(refused, staged.batch)
            else:
                return
            self.hold(refusals, batch=staged.batch)
            self.take_out(staged.batch)

    def _require_may_hold(self, logical: str, key: Sequence[str], failure: Refused) -> None:
        """Rows of tables that the spec says it of, and those that somebody asked to have read again: that must not stop a run."""
        letter = self.letters.get(self._known(logical, key))
        if logical not in self.plan.quarantine and (letter is None or letter.state != "retry"):
            raise failure

    def _found(self, refused: RowRefused, batch: int) -> list[Refusal]:
        """The rows at fault, all of tables whose rows may be held."""
        connection = self.servers.connect_shard(refused.shard)
        found: list[Refusal] = []
        try:
            for item in refused.work:
                table = self.plan.table(item.logical)
                for key, why in refused_staged(connection, table, batch, part=item.part):
                    self._require_may_hold(item.logical, key, refused)
                    found.append(self.refusal(item.logical, key, "SW8511", reason=why))
        finally:
            connection.close()
        if not found:
            raise refused
        return found

    def take_out(self, batch: int) -> None:
        """Rows of keys that this batch held leave its stages, on every shard; where they stood there is kept first."""
        letters = [letter for letter in self.letters.values() if letter.batch == batch]
        if not letters:
            return
        for letter in letters:
            self._keep_staged_places(letter, batch)
        for _, connection in self.servers.each_shard():

            def remove(connection: Connection[Any]) -> None:
                for letter in letters:
                    table = self.plan.table(letter.held.logical)
                    statement = f"DELETE FROM {quoted(table.stage_table)} WHERE sw_batch = {batch} AND {_is_row(connection, table, letter)}"
                    execute(connection, statement)

            self.writer.transaction(connection, remove)
            failpoint("after-held-row-taken-out")

    def _keep_staged_places(self, letter: Letter, batch: int) -> None:
        table = self.plan.table(letter.held.logical)
        found: set[Place] = set()
        for shard, connection in self.servers.each_shard():
            statement = (
                f"SELECT DISTINCT sw_part FROM {quoted(table.stage_table)} WHERE sw_batch = {batch} AND "
                f"{_is_row(connection, table, letter)}"
            )
            found |= {(shard, int(part)) for (part,) in query(connection, statement)}

        def record(connection: Connection[Any]) -> None:
            add_places(connection, self.plan.migration, letter, frozenset(found))

        self.writer.transaction(self.control, record)
        self.read()


def _places(row: Any) -> frozenset[Place]:
    return frozenset((place["shard"], place["part"]) for place in row["places"])


def _is_row(connection: Connection[Any], table: TablePlan, letter: Letter) -> str:
    names = ", ".join(quoted(name) for name in table.key)
    kinds = [column.type for column in table.key_columns]
    return f"({names}) IN ({key_list(connection, kinds, [letter.held.key])})"


def _without_masked(table: TablePlan, image: str | None) -> str | None:
    if image is None:
        return None
    masked = {column.source for column in table.columns if column.mapping.startswith("masked")}
    values: dict[str, Any] = json.loads(image)
    return json.dumps({name: _MASKED if name in masked else value for name, value in values.items()})
