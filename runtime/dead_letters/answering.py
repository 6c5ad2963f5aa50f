"""`dead-letters retry`: the row as the source has it now takes the place of everything that was held of it.

The row is read in a snapshot whose position is proved, at or ahead of the stream's, and goes to the targets as a batch of its own
under the ledgers. Every place that a held event named is left. Held events up to the snapshot's position are covered by what was
read; the stream takes the key's events again from there on."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from shardwright.runtime.binlog.position import LogPosition
from shardwright.runtime.binlog.schema import EVENT_DDL, INSERT
from shardwright.runtime.dead_letters.holding import DeadLetters
from shardwright.runtime.dead_letters.letters import Letter, answer_letter, forget_letter
from shardwright.runtime.failpoints import failpoint
from shardwright.runtime.ledger.batches import audit
from shardwright.runtime.lost_transactions.rows_by_key import Image, images_by_key
from shardwright.runtime.stream.run_batch import BatchRunner
from shardwright.runtime.transactions import in_transaction

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_LOOK_EVERY = 2.0
"""Seconds between two looks for letters that are to be tried again."""
_LEFT_VIEW = "places_left"
_LEFT_DDL = (
    "logical string, source_table string, key array<string>, shard int, part int, "
    "position struct<epoch: bigint, file: bigint, offset: bigint, row: int>"
)
_LEAVE = f"""
SELECT p.logical AS `table`, p.source_table, p.shard, p.part, IF(u.key IS NULL, 'delete', 'vacate') AS action, 'D' AS op,
  p.key, p.position, CAST(NULL AS BIGINT) AS committed_at, CAST(NULL AS ARRAY<STRING>) AS `row`,
  CAST(NULL AS STRING) AS version_before, CAST(NULL AS STRING) AS version
FROM {_LEFT_VIEW} p LEFT JOIN (SELECT `table`, key, shard, part FROM routed_anew WHERE action = 'upsert') u
  ON u.`table` = p.logical AND u.key = p.key
WHERE u.key IS NULL OR u.shard <> p.shard OR u.part <> p.part
"""


@dataclass(frozen=True, slots=True)
class _Reread:
    """A letter with the row's image at the source (None: it is gone), and the position of the snapshot."""

    letter: Letter
    image: Image | None
    at: LogPosition


@dataclass
class Answers:
    """Looks for letters that are to be tried again, between two batches."""

    spark: SparkSession
    batches: BatchRunner
    _looked: float = field(default=0.0)

    @property
    def dead(self) -> DeadLetters:
        return self.batches.dead

    def look(self) -> None:
        if not self.dead.letters or time.monotonic() - self._looked < _LOOK_EVERY:
            return
        self._looked = time.monotonic()
        with self.batches.lock:
            self.dead.read()
            self._forget_passed()
            wanted = [letter for letter in self.dead.letters.values() if letter.state == "retry"]
            if wanted:
                self._answer(wanted)

    def _forget_passed(self) -> None:
        """Answered letters whose position the stream has reached."""
        passed = [letter for letter in self.dead.letters.values() if letter.until and self._has_reached(letter)]

        def forget(connection: Any) -> None:
            for letter in passed:
                forget_letter(connection, self.dead.plan.migration, letter.held)

        if passed:
            in_transaction(self.dead.control, forget, role="data", epoch=self.dead.epoch)
            self.dead.read()

    def _has_reached(self, letter: Letter) -> bool:
        assert letter.until is not None
        for source in self.batches.sources:
            if letter.held.source_table in source.tables:
                part = self.batches.state.position.parts[source.name]
                assert isinstance(part, LogPosition)
                return (part.epoch, part.file_number, part.offset) >= letter.until
        return False

    def _answer(self, wanted: list[Letter]) -> None:
        reread = self._read_rows(wanted)
        failpoint("after-letters-read")
        self.dead.answering = {item.letter.held for item in reread}
        try:
            changes = self.spark.createDataFrame([_event(item) for item in reread if item.image], EVENT_DDL)
            left = [
                (
                    held.logical,
                    held.source_table,
                    list(held.key),
                    shard,
                    part,
                    (item.at.epoch, item.at.file_number, item.at.offset, -1),
                )
                for item in reread
                for held in (item.letter.held,)
                for shard, part in sorted(item.letter.places)
            ]
            self.spark.createDataFrame(left, _LEFT_DDL).createOrReplaceTempView(_LEFT_VIEW)
            self.dead.offer(changes)
            logicals = tuple(sorted({item.letter.held.logical for item in reread}))
            self.batches.run_apart(changes, logicals, also=_leave_places)
            answered = [item for item in reread if item.letter.held in self.dead.answering]
        finally:
            self.dead.answering = set()

        def record(connection: Any) -> None:
            migration = self.dead.plan.migration
            for item in answered:
                until = (item.at.epoch, item.at.file_number, item.at.offset)
                answer_letter(connection, migration, item.letter.held, until=until)
                found = "as the source has it" if item.image else "gone at the source"
                audit(
                    connection, migration, "dead letter answered", detail=f"{item.letter.held}: {found}, at {item.at}"
                )

        in_transaction(self.dead.control, record, role="data", epoch=self.dead.epoch)
        failpoint("after-letter-answered")
        self.dead.read()
        self.dead.say(f"{len(answered)} of {len(reread)} dead letters answered")

    def _read_rows(self, wanted: list[Letter]) -> list[_Reread]:
        by_table: dict[str, list[Letter]] = defaultdict(list)
        for letter in wanted:
            by_table[letter.held.logical].append(letter)
        found: list[_Reread] = []
        for logical, letters in by_table.items():
            source = next(item for item in self.batches.sources if letters[0].held.source_table in item.tables)
            with source.snapshot() as (part, reader):
                assert isinstance(part, LogPosition)
                for letter in letters:
                    images = images_by_key(
                        reader, self.dead.plan, logical, source=letter.held.source_table, keys=[letter.held.key]
                    )
                    found.append(_Reread(letter, images[0] if images else None, part))
        return found


def _event(item: _Reread) -> tuple[Any, ...]:
    at = item.at
    return (item.letter.held.source_table, INSERT, at.epoch, at.file_number, at.offset, -1, None, None, item.image)


def _leave_places(routed: DataFrame) -> DataFrame:
    """What is routed, and the places that the held events named and the row does not stand in now."""
    routed.createOrReplaceTempView("routed_anew")
    return routed.unionByName(routed.sparkSession.sql(_LEAVE))
