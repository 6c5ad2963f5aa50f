"""Quarantined rows: a row that a target refuses is a dead letter, recorded in the ledger before anything else happens.
Its events no longer reach the batches and are kept with it (C1).

Runs in the driver; writes the dead letters' table on the first shard.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import TablePlan
from shardwright.runtime.events.stream import MoreQuarantined, RowQuarantined
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.audit import audit
from shardwright.runtime.ledger.context import RunContext
from shardwright.runtime.ledger.dead_letters import (
    DeadLetter,
    NewEvents,
    Place,
    QuarantinedKey,
    add_events,
    add_places,
    count_rows,
    hold,
    read_dead_letters,
    set_state,
)
from shardwright.runtime.mysql.rejected_rows import RefusedRow
from shardwright.runtime.sources.source import Sources
from shardwright.runtime.stream.quarantine.conflicts import Conflicts, Row, is_read_again
from shardwright.runtime.stream.quarantine.quarantined_events import (
    AdmittedFrom,
    admit_from,
    collect_quarantined_events,
    offer_keys,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_MASKED = "(masked)"
COPIED = 0
"""In place of a batch's number."""
_AT_MOST: Final = 1_000
"""Dead letters of one table on the way back, or while both sides take writes, where its spec has no `errors`."""
_NAMED: Final = 10
"""So many rows of a batch have a line each."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A row to be quarantined, and why."""

    held: QuarantinedKey
    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class Quarantine:
    """Rows that leave the batches."""

    held: Sequence[Refusal] = ()
    """They wait for an operator's decision."""
    retried: Sequence[Refusal] = ()
    """They are read again as soon as the batch is done, whatever the spec allows."""

    def __bool__(self) -> bool:
        return bool(self.held or self.retried)


@dataclass
class DeadLetters:
    """All quarantined keys of the migration, as the ledger has them."""

    context: RunContext
    """The run."""
    by_key: dict[QuarantinedKey, DeadLetter] = field(default_factory=dict)
    """By key."""
    answering: set[QuarantinedKey] = field(default_factory=set)
    """Keys whose events the current batch does not keep out."""
    conflicts: Conflicts = field(default_factory=Conflicts)
    """What reads of the shards have found."""
    overruled: AdmittedFrom = field(default_factory=dict)
    """Keys that the current batch leaves out up to a position, since both sides have changed them: what counts is
    behind it."""
    _admitted: AdmittedFrom = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.read()

    def read(self) -> None:
        self.by_key = {
            dead_letter.held: dead_letter
            for dead_letter in read_dead_letters(self.context.control, self.context.migration)
        }

    def count(self) -> int:
        """Rows that wait for an operator's decision."""
        return count_rows(self.by_key.values())

    @property
    def tables(self) -> frozenset[str]:
        """The logical tables that have quarantined keys, or keys that are overruled."""
        return frozenset(held.logical for held in (*self.by_key, *self.overruled))

    def refusals(self, logical: str, key: Sequence[str], code: str, *, reason: str) -> list[Refusal]:
        """One for each source table that may have the row."""
        return [Refusal(held, code, reason) for held in self.keys_of(logical, key)]

    def refusals_of(self, rows: Iterable[RefusedRow]) -> list[Refusal]:
        """The same of rows that a target refuses."""
        return [one for row in rows for one in self.refusals(row.logical, row.key, row.code, reason=row.why)]

    def waits_for_retry(self, logical: str, key: Sequence[str]) -> bool:
        """Whether an operator asked to have the row read again."""
        return any(dead_letter.state == "retry" for dead_letter in self._of_row(logical, key))

    @property
    def may_hold(self) -> frozenset[str]:
        """The logical tables whose rows may be quarantined: on the way back all of them, since a run that stops keeps
        the way back from all other rows."""
        plan = self.context.plan
        if plan.direction.reads_shards:
            return frozenset(table.logical for table in plan.target_tables)
        return frozenset(plan.quarantine) | {held.logical for held in self.answering}

    def due(self) -> list[DeadLetter]:
        """Those whose rows are to be read again now: by an operator's order, on the way back by themselves, too. In
        rounds none: they become conflicts."""
        if self.context.in_rounds:
            return []
        again = is_read_again if self.context.plan.direction.reads_shards else lambda _item: False
        return [item for item in self.by_key.values() if item.state == "retry" or again(item)]

    def doubles(self, found: Mapping[Row, Sequence[str]]) -> Quarantine:
        """Of rows that several tables of the shards have (SW8309): logical table and key -> these tables."""
        held, retried = list[Refusal](), list[Refusal]()
        for (logical, key), tables in found.items():
            reason = f"the row is in {' and in '.join(tables)}: delete the one that is wrong"
            refusals = self.refusals(logical, key, "SW8309", reason=reason)
            (held if self.conflicts.is_at_rest((logical, key)) else retried).extend(refusals)
        return Quarantine(held, retried)

    def _of_row(self, logical: str, key: Sequence[str]) -> list[DeadLetter]:
        return [self.by_key[held] for held in self.keys_of(logical, key) if held in self.by_key]

    def keys_in_quarantine(self, logical: str) -> frozenset[tuple[str, ...]]:
        """The keys whose events are kept from the targets."""
        found = self.by_key.values()
        return frozenset(item.held.key for item in found if item.held.logical == logical and item.state != "answered")

    def hold(self, quarantine: Quarantine, *, batch: int) -> None:
        """Quarantines rows. `batch` is COPIED for rows of chunks; no batch may be in progress then. Raises Refused
        (SW8512) when more rows of a table would be held than its spec allows."""
        self._require_few(quarantine.held)
        states = [(item, "held") for item in quarantine.held] + [(item, "retry") for item in quarantine.retried]

        known = {item.held.row for item in self.by_key.values() if item.state == "held"}

        def record(connection: Connection[Any]) -> None:
            migration = self.context.migration
            for item, state in states:
                hold(connection, migration, item.held, code=item.code, reason=item.reason, batch=batch)
                if state == "retry":
                    set_state(connection, migration, item.held, "retry")
                elif item.held.row in known:
                    continue
                audit(
                    connection,
                    migration,
                    "row held",
                    detail=f"{f'batch {batch}' if batch else 'copied'}: {item.held}: {item.code}: {item.reason}",
                )

        self.context.transaction(record)
        failpoint("after-row-held")
        self.answering -= {item.held for item, _ in states}
        self.read()
        if self.context.in_rounds:
            return  # the round reports it as a conflict
        self._report([item for item in quarantine.held if item.held.row not in known], again=False)
        self._report(quarantine.retried, again=True)

    def _require_few(self, refusals: Collection[Refusal]) -> None:
        plan = self.context.plan
        for logical in sorted({item.held.logical for item in refusals if item.held not in self.by_key}):
            most = plan.quarantine.get(
                logical, _AT_MOST if plan.direction.reads_shards or self.context.both_ways else 0
            )
            known = (held for held, dead_letter in self.by_key.items() if dead_letter.state != "answered")
            rows = {held.key for held in (*known, *(item.held for item in refusals)) if held.logical == logical}
            if len(rows) > most:
                first = next(item for item in refusals if item.held.logical == logical)
                raise Refused(
                    "SW8512",
                    f"{len(rows)} rows of {logical} would become dead letters, and at_most allows {most}; one of them: "
                    f"{first.held}: {first.reason}",
                )

    def _report(self, refusals: Collection[Refusal], *, again: bool) -> None:
        rows = {item.held.row: item for item in refusals}
        for item in list(rows.values())[:_NAMED]:
            self.context.emit(RowQuarantined(again, str(item.held), item.code, item.reason))
        if len(rows) > _NAMED:
            self.context.emit(MoreQuarantined(again, len(rows) - _NAMED))

    def offer(self, frame: DataFrame) -> None:
        """Makes the view that batches are joined against, for the events that `keep_events` was last given. Rows that
        were read again since are no quarantined ones either."""
        waiting = [dead_letter for held, dead_letter in self.by_key.items() if held not in self.answering]
        known = {item.held: (*item.until, -1) for item in waiting if isinstance(item.until, tuple)}
        offer_keys(frame, self.context.plan, waiting, {**known, **self._admitted}, self.overruled)

    def keep_events(self, changes: DataFrame, logicals: Collection[str], sources: Sources) -> None:
        """What a batch has of quarantined keys is kept with their dead letters. An event that is read again is not
        counted again."""
        if self.by_key:
            self.read()  # an operator may have answered some
        touched = sorted({held.logical for held in self.by_key} & set(logicals))
        if not touched:
            return
        self._admitted = admit_from(changes, self.context.plan, sources, self.by_key.values(), touched)
        self.offer(changes)
        found = [row for row in collect_quarantined_events(changes, self.context.plan, touched) if self._is_news(row)]
        if not found:
            return

        def record(connection: Connection[Any]) -> None:
            for row in found:
                self._keep(connection, row)

        self.context.transaction(record)
        failpoint("after-held-events-recorded")
        self.read()

    def _is_news(self, row: Any) -> bool:
        return row["events"] > 0 or not _places(row) <= self.by_key[self._key_of(row)].places

    def _keep(self, connection: Connection[Any], row: Any) -> None:
        migration, dead_letter, at = self.context.migration, self.by_key[self._key_of(row)], row["position"]
        if not row["events"]:
            add_places(connection, migration, dead_letter, _places(row))
            return
        new = NewEvents(
            events=row["events"],
            last_position=(at["epoch"], at["file"], at["offset"], at["row"]),
            last_op=row["op"],
            image=_without_masked(self.context.plan.table(row["logical"]), row["image"]),
            places=_places(row),
        )
        add_events(connection, migration, dead_letter, new)

    def _key_of(self, row: Any) -> QuarantinedKey:
        if row["source_table"] is not None:
            return QuarantinedKey(row["logical"], row["source_table"], tuple(row["key"]))
        return self.keys_of(row["logical"], row["key"])[0]

    def keys_of(self, logical: str, key: Sequence[str]) -> tuple[QuarantinedKey, ...]:
        """The row with its source table, which a dead letter has: the row was found there. Where rows go from one
        source table to another, it is quarantined of all of them. On the way back it may be on any shard: the table's
        own name says as much."""
        plan, row = self.context.plan, (logical, tuple(key))
        sources = (logical,) if plan.direction.reads_shards else plan.table(logical).sources_of(key)
        if len(sources) == 1 and (found := next((held for held in self.by_key if held.row == row), None)):
            return (found,)
        return tuple(QuarantinedKey(logical, source, tuple(key)) for source in sources)


def _places(row: Any) -> frozenset[Place]:
    return frozenset((place["shard"], place["part"]) for place in row["places"])


def _without_masked(table: TablePlan, image: str | None) -> str | None:
    if image is None:
        return None
    masked = {column.source for column in table.columns if column.mapping.startswith("masked")}
    values: dict[str, Any] = json.loads(image)
    return json.dumps({name: _MASKED if name in masked else value for name, value in values.items()})
