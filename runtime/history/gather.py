"""All facts about one row, from both sides, the ledgers and the logs.

Runs in the process of the command; reads the source, all shards and their logs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.runtime.failures import Refused, RuntimeFailure
from shardwright.runtime.history.asked_key import parse_key, table_of
from shardwright.runtime.history.belonging import Locator, Values
from shardwright.runtime.history.changes import BatchWork, ChangeExplainer, by_change, change_id
from shardwright.runtime.history.decisions import Rules
from shardwright.runtime.history.facts import Belonging, Change, Chunk, DecisionOnRecord, Moment, RowFacts, Unread
from shardwright.runtime.history.foreign import foreign_changes
from shardwright.runtime.history.ledger_rows import KeyLedger, utc
from shardwright.runtime.history.leg import Leg, Stream
from shardwright.runtime.history.log_reader import Logged, LoggedDdl, NotRead, RowChange
from shardwright.runtime.history.logs import OpenLog, key_images, open_logs
from shardwright.runtime.history.present_rows import PresentRows, read_image, read_present_rows
from shardwright.runtime.history.verdict import is_equal
from shardwright.runtime.mysql.keys import Key
from shardwright.runtime.rehearsal.route.subject import Subject
from shardwright.runtime.sources.positions.stream_position import StreamPosition
from shardwright.runtime.verify.sessions import Sessions
from shardwright.specs.direction import Direction


@dataclass(frozen=True, slots=True)
class Question:
    """Which row is asked about. `legs` are the directions, the first one forward; `subject` is the table of the forward
    plan with its sharding function."""

    legs: tuple[Leg, ...]
    subject: Subject
    key: Key
    reads_logs: bool = True

    @property
    def live(self) -> Leg:
        return next(leg for leg in self.legs if leg.is_live)


def question(legs: Sequence[Leg], subject: Subject, pairs: Sequence[str], *, reads_logs: bool) -> Question:
    """Raises InputAtFault (SW8504, SW8516), Refused (SW8517)."""
    table = table_of(subject.plan, subject.table.logical)
    return Question(tuple(legs), subject, parse_key(table, pairs), reads_logs)


class RowExplainer:
    """Reads the facts of one row, again and again where it is watched: the logs are read once."""

    def __init__(self, asked: Question) -> None:
        self.asked = asked
        forward = asked.legs[0]
        self._sessions = {leg.plan.direction: _sessions(leg) for leg in asked.legs}
        self._locator = Locator(asked.subject, forward.servers, self._sessions[forward.plan.direction])
        self._logs: dict[Direction, list[OpenLog]] = {}
        self._logged: dict[Direction, list[Logged]] = {}

    def close(self) -> None:
        for sessions in self._sessions.values():
            sessions.close()

    def read(self) -> RowFacts:
        """The facts of now. Raises Refused (SW8206) where the migration has not begun."""
        asked, live = self.asked, self.asked.live
        streams = {leg.plan.direction: leg.read_stream() for leg in asked.legs}
        stream = streams[live.plan.direction]
        if stream is None:
            raise Refused("SW8206", f"{live.plan.migration} has not begun: `shardwright run` begins it")
        table = self._table(live.plan)
        present = read_present_rows(live.plan, table, asked.key, self._sessions[live.plan.direction])
        keys = tuple(dict.fromkeys((asked.key, *sorted(present.spellings))))
        begun = [(leg, found) for leg in asked.legs if (found := streams[leg.plan.direction]) is not None]
        explained = [self._explain(leg, found, keys) for leg, found in begun]
        belongs = self._belongs(live, present, explained)
        ledger = KeyLedger(live.plan, table, live.servers, keys)
        facts = RowFacts(
            migration=live.plan.migration,
            table=table.logical,
            key=dict(zip(asked.subject.table.key, asked.key, strict=True)),
            ways=tuple(leg.describe(found) for leg, found in begun),
            belongs=belongs,
            read_side=tuple(row.fact for row in present.read_side),
            write_side=tuple(row.fact for row in present.write_side),
            expected=_places_to_write(live, table, belongs),
            is_filtered=self._is_filtered(live, table, present),
            keeps_deleted=table.deletes.are_ignored,
            chunks=tuple(chunk for one in explained for chunk in one.chunks),
            changes=_in_order(change for one in explained for change in one.changes),
            equal_to=None,
            foreign=(),
            moments=tuple(moment for one in explained for moment in one.moments),
            unread=tuple(part for one in explained for part in one.unread),
            staged=() if stream.open_batch is None else tuple(ledger.read_staged(stream.open_batch.batch)),
            tombstones=tuple(ledger.tombstones()) if live.plan.direction.copies else (),
            dead_letters=tuple(ledger.dead_letters()),
            recorded=tuple(kept for one in explained for kept in one.recorded),
            owners=tuple(ledger.owners()),
        )
        return facts if is_equal(facts) else self._with_cause(facts, present, explained, streams)

    def _with_cause(
        self,
        facts: RowFacts,
        present: PresentRows,
        explained: Sequence[_LegFacts],
        streams: Mapping[Direction, Stream | None],
    ) -> RowFacts:
        """With what shows why the row is wrong."""
        live = self.asked.live
        table = self._table(live.plan)
        images = {(c.log, str(c.place), c.row): c.after for one in explained if one.leg is live for c in one.raw}
        equal = [
            at
            for at, change in enumerate(facts.changes)
            for row in present.write_side[:1]
            if change.direction is live.plan.direction
            and (image := images[(change.log, change.position, change.row)]) is not None
            and row.has(image, table)
        ]
        facts = replace(facts, equal_to=equal[-1] if equal else None)
        opposite = next((leg for leg in self.asked.legs if not leg.is_live), None)
        if opposite is None or not self.asked.reads_logs:
            return facts
        keys = tuple(dict.fromkeys((self.asked.key, *sorted(present.spellings))))
        foreign, unread = foreign_changes(opposite, self._table(opposite.plan), streams[opposite.plan.direction], keys)
        return replace(facts, foreign=foreign, unread=(*facts.unread, *unread))

    def _table(self, plan: Plan) -> TablePlan:
        return plan.table(self.asked.subject.table.logical)

    def _explain(self, leg: Leg, stream: Stream, keys: tuple[Key, ...]) -> _LegFacts:
        table, sessions = self._table(leg.plan), self._sessions[leg.plan.direction]
        ledger = KeyLedger(leg.plan, table, leg.servers, keys)
        sources = leg.tables_with(table, self.asked.key) if leg.plan.direction.copies else ()
        chunks = tuple(ledger.chunks(sources, sessions))
        copied = tuple(place for _, place in chunks if place is not None)
        logged = self._read_logs(leg, table, stream, keys, copied) if self.asked.reads_logs else ()
        raw = tuple(sorted((one for one in logged if isinstance(one, RowChange)), key=_order))
        changed = tuple(ledger.read_changed())
        recorded = tuple(ledger.read_recorded())
        explainer = ChangeExplainer(
            leg,
            table,
            stream,
            Rules(leg.plan, table, sessions),
            BatchWork(changed, ledger.steps({one.batch for one in changed})),
            copied,
            self._locator.place_of if leg.plan.direction.reads_source else lambda _image: None,
            by_change(recorded),
        )
        listed = {change_id(change) for change in raw}
        ddl = [one for one in logged if isinstance(one, LoggedDdl)]
        return _LegFacts(
            leg,
            raw,
            tuple(explainer.explain(raw)),
            tuple(chunk for chunk, _ in chunks),
            (
                *(Moment(utc(one.committed_at), "DDL", one.statement, f"{one.log} {one.place}") for one in ddl),
                *ledger.moments(),
            ),
            tuple(Unread(one.log, one.why) for one in logged if isinstance(one, NotRead)),
            tuple(one for one in recorded if (one.source_table, one.position) not in listed),
        )

    def _read_logs(
        self, leg: Leg, table: TablePlan, stream: Stream, keys: tuple[Key, ...], copied: tuple[StreamPosition, ...]
    ) -> Sequence[Logged]:
        """All that was read so far, with what has come since."""
        direction = leg.plan.direction
        logged = self._logged.setdefault(direction, [])
        try:
            if direction not in self._logs:
                logs = list(open_logs(leg, table, self.asked.key, stream, copied=copied))
                logged += [log for log in logs if isinstance(log, NotRead)]
                self._logs[direction] = [log for log in logs if isinstance(log, OpenLog)]
            images = key_images(leg.plan, table, keys)
            for at, log in enumerate(self._logs[direction]):
                found, self._logs[direction][at] = log.read(images)
                logged += found
        except RuntimeFailure as failure:
            return [*logged, NotRead(direction.read_side, failure.message)]
        return logged

    def _belongs(self, live: Leg, present: PresentRows, explained: Sequence[_LegFacts]) -> Belonging:
        """By the row that the read side has now, or else by the last image of the logs."""
        values = self._values(live, present)
        if values is None:
            known = [
                self._forward_values(one.leg.plan, image)
                for one in explained
                for change in one.raw
                for image in (change.after or change.before,)
                if image is not None
            ]
            values = known[-1] if known else self._values_of_key()
        return self._locator.find(values, may_ask_parents=live.plan.direction.reads_source)

    def _values(self, live: Leg, present: PresentRows) -> Values | None:
        table = self._table(live.plan)
        places = [row.held.place for row in present.read_side]
        image = read_image(live.plan, live.servers, table, self.asked.key, places=places) if places else None
        if image is None:
            return None
        names = [column.name for column in table.source.columns]
        return self._forward_values(live.plan, dict(zip(names, image, strict=True)))

    def _values_of_key(self) -> Values:
        return {
            column.source: value
            for column, value in zip(self.asked.subject.table.key_columns, self.asked.key, strict=True)
        }

    def _forward_values(self, plan: Plan, image: Mapping[str, str | None]) -> Values:
        """The image with the names that the source's columns have."""
        if plan.direction.reads_source:
            return image
        return {column.source: image.get(column.target) for column in self.asked.subject.table.columns if column.source}

    def _is_filtered(self, live: Leg, table: TablePlan, present: PresentRows) -> bool:
        if table.source.where is None or present.read_side:
            return False
        places = list(live.tables_with(table, self.asked.key))
        return read_image(live.plan, live.servers, table, self.asked.key, places=places) is not None


@dataclass(frozen=True, slots=True)
class _LegFacts:
    leg: Leg
    """The direction."""
    raw: tuple[RowChange, ...]
    """Its changes, with values that may not be printed."""
    changes: tuple[Change, ...]
    """The same, as they may be printed."""
    chunks: tuple[Chunk, ...]
    """The chunks that have the key."""
    moments: tuple[Moment, ...]
    """What else happened."""
    unread: tuple[Unread, ...]
    """What of the logs was not read."""
    recorded: tuple[DecisionOnRecord, ...]
    """Decisions about changes that are none of these."""


def _sessions(leg: Leg) -> Sessions:
    return Sessions(leg.servers.connect_source, leg.servers.connect_shard)


def _order(change: RowChange) -> tuple[int, str, int, int, int, int]:
    """By time; the position decides within one log."""
    place = change.place
    return change.committed_at or 0, change.log, place.epoch, place.file_number, place.offset, change.row


def _in_order(changes: Iterable[Change]) -> tuple[Change, ...]:
    return tuple(sorted(changes, key=lambda change: change.committed_at or ""))


def _places_to_write(live: Leg, table: TablePlan, belongs: Belonging) -> tuple[str, ...]:
    """The tables of the write side that should have the row."""
    if live.plan.direction.writes_shards:
        return belongs.places
    if table.placement.only_database is not None and len(table.suffixes) == 1:
        return (live.plan.physical_name(table, table.placement.only_database, 0),)
    return ()
