"""Does a table without a key hold the same rows on both sides, each as often? Both sides are multisets of row hashes.
Sums of 64 buckets are compared; of buckets that differ, the number of rows of each hash.

Runs in the driver; reads the source servers and the shards.

A number that differs while the stream moves may only be in flight. It is looked at again after the shards have caught
up, as `recheck` does with keys. What differs in the same way at several looks in a row is wrong. What agrees at one of
them is right, and what keeps changing is reported as that.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from shardwright.compiler.plan.plan import Plan, StepName, TablePlan, at_place, with_suffix
from shardwright.runtime.failures import CouldNotCheck
from shardwright.runtime.mysql.keys import source_sql
from shardwright.runtime.verify.answers import Sums
from shardwright.runtime.verify.barrier import Moving
from shardwright.runtime.verify.key_range import Key
from shardwright.runtime.verify.keyless_sides import BUCKETS, EqualRows, KeylessPlace, KeylessSides
from shardwright.runtime.verify.keys import difference
from shardwright.runtime.verify.result import (
    ColumnDifference,
    Mismatch,
    MismatchKind,
    ShardRows,
    TableResult,
    columns_not_compared,
)
from shardwright.runtime.verify.sessions import Sessions, ask

_LOOKS: Final = 12
_LOOKS_ALIKE: Final = 6
"""Looks in a row that have to find a number as it was, before it is wrong."""
_PAUSE_SECONDS: Final = 0.5
_ROWS_READ: Final = 20
"""Differing rows whose values are read for display. No index finds a hash: each costs a scan of a table."""


@dataclass(frozen=True)
class KeylessComparison:
    """Compares one table without a key."""

    plan: Plan
    """The compiled plan of the migration."""
    table: TablePlan
    """The table that is compared."""
    sessions: Sessions
    """Lends connections to both sides."""
    moving: Moving | None
    """The stream that moves rows meanwhile; None: nothing moves."""
    only_shard: int | None = None
    """Number of the only database that is compared; None: all."""
    sleep: Callable[[float], None] = time.sleep
    """Waits that many seconds."""
    _rows: Counter[int] = field(default_factory=Counter)
    """Shard -> its rows."""

    def run(self) -> TableResult:
        began, mismatches, changing, rows, problem = time.monotonic(), [], [], 0, None
        groups = self._groups()
        try:
            if self.only_shard is not None and self.table.placement.can_differ_by_shard:
                why = f"{self.table.logical} has no key, and its rows are compared whole: compare it without --shard"
                raise CouldNotCheck("SW8532", why)
            for shards in groups:
                compared = KeylessSides(self.sessions, self._sources(), self._targets(shards))
                rows, differing = self._find_differences(compared)
                wrong, restless = self._recheck(compared, differing)
                mismatches += [
                    self._name_mismatch(hash_, found, read_row=number < _ROWS_READ)
                    for number, (hash_, found) in enumerate(wrong.items())
                ]
                changing += [_hash_key(hash_) for hash_ in restless]
        except CouldNotCheck as failure:
            problem = str(failure)
        return TableResult(
            table=self.table.logical,
            rows_source=rows,
            rows_shards=tuple(ShardRows(self.plan.databases[s], self._rows[s]) for some in groups for s in some),
            chunks=1,
            differing_chunks=int(bool(mismatches or changing)),
            mismatches=tuple(mismatches),
            still_changing=tuple(changing),
            problem=problem,
            seconds=time.monotonic() - began,
            copies=len(groups),
            not_compared=columns_not_compared(self.table),
        )

    def _groups(self) -> Sequence[Sequence[int]]:
        """The shards that together should equal the source."""
        shards = [s for s in self.plan.shards(self.table) if self.only_shard in (None, s)]
        return self.table.placement.groups(shards)

    def _sources(self) -> tuple[KeylessPlace, ...]:
        step = self.plan.step(self.table.logical, StepName.VERIFY_SOURCE)
        return tuple(
            KeylessPlace(
                name.database,
                str(name),
                {s.name: source_sql(step.statement(s.name), name) for s in step.statements},
                {},
            )
            for name in self.table.sources
        )

    def _targets(self, shards: Sequence[int]) -> tuple[KeylessPlace, ...]:
        step = self.plan.step(self.table.logical, StepName.VERIFY_TARGET)
        found = []
        for shard in shards:
            database = self.plan.databases[shard]
            for part, suffix in enumerate(self.plan.parts(self.table)):
                statements = {s.name: at_place(step.statement(s.name), database, suffix) for s in step.statements}
                name = f"{database}.{with_suffix(self.table.physical, suffix)}"
                found.append(KeylessPlace(shard, name, statements, {"sw_shard": shard, "sw_part": part}))
        return tuple(found)

    def _find_differences(self, sides: KeylessSides) -> tuple[int, Mapping[int, EqualRows]]:
        """The rows of the source, and the hashes that are not on both sides alike."""
        source, shards = sides.sums()
        self._rows.update({shard: found.rows for shard, found in shards.items()})
        buckets = source.different_buckets(sum(shards.values(), Sums()))
        differing = sides.find_mismatches(buckets)
        if buckets and not differing and self._is_still():
            raise CouldNotCheck(
                "SW8505",
                f"{self.table.logical}: sums differ but the rows do not; were the tables written to? Compare again "
                "while the stream runs, or with a read-only source",
            )
        return source.rows, differing

    def _is_still(self) -> bool:
        return self.moving is None or self.moving.at_rest()

    def _recheck(
        self, sides: KeylessSides, differing: Mapping[int, EqualRows]
    ) -> tuple[Mapping[int, EqualRows], tuple[int, ...]]:
        """The hashes that are wrong, and those that did not come to rest."""
        if self.moving is None or self._is_still():
            return differing, ()
        left, alike, wrong = dict(differing), Counter[int](), dict[int, EqualRows]()
        for _ in range(_LOOKS):
            if not left:
                break
            self.moving.catch_up()
            now = sides.find_mismatches({hash_ % BUCKETS for hash_ in left})
            for hash_ in list(left):
                if hash_ not in now:
                    del left[hash_]
                    continue
                alike[hash_] = alike[hash_] + 1 if now[hash_] == left[hash_] else 0
                left[hash_] = now[hash_]
                if alike[hash_] >= _LOOKS_ALIKE:
                    wrong[hash_] = left.pop(hash_)
            self.sleep(_PAUSE_SECONDS)
        return wrong, tuple(left)

    def _name_mismatch(self, hash_: int, found: EqualRows, *, read_row: bool) -> Mismatch:
        """Its key are all columns; without `read_row` only the hash."""
        assert found.kind is not None
        place = found.places[-1] if found.kind is MismatchKind.EXTRA else found.places[0]
        key = self._values(hash_, place) if read_row else ()
        numbers = ColumnDifference("equal rows", str(found.source), str(found.target))
        names = tuple(one.name for one in found.places if isinstance(one.end, int))
        return Mismatch(found.kind, self.table.logical, key or _hash_key(hash_), names, columns=(numbers,))

    def _values(self, hash_: int, place: KeylessPlace) -> Key:
        """The row's values as a report may hold them; empty when the row is gone."""
        with self.sessions.at(place.end) as connection:
            rows = ask(connection, place.statements["row"], {**place.variables, "sw_hash": hash_}, where=place.name)
        shown = [
            difference(column, value, None).source
            for row in rows[:1]
            for column, value in zip(self.table.columns, row, strict=True)
        ]
        return tuple("NULL" if value is None else value for value in shown)


def _hash_key(hash_: int) -> Key:
    return (f"hash {hash_:016x}",)
