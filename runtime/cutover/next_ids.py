"""Which number does a new row get after the switch? One that no row has had, on either side: the counters of the side
that takes the writes are set behind everything that both sides have given.

Runs in the driver while the fence holds; reads both sides, and writes counters (rows of segment tables, AUTO_INCREMENT)
of the side that takes the writes. Numbers that applications may have taken, but not used, are the margin's.

No counter is set before all numbers are known to fit. Where a server fails between two of them, those that are set stay
so: they are only further on, and nobody takes numbers there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Final

import pymysql
from pymysql.connections import Connection

from shardwright.compiler.plan.next_ids import NEXT, NextIds
from shardwright.compiler.plan.plan import Plan, at_place, with_suffix
from shardwright.runtime.cutover.number_ends import End, end_of, next_number_column
from shardwright.runtime.cutover.ways import Way
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.check import Fault
from shardwright.runtime.mysql.estimates import ask_afresh
from shardwright.runtime.mysql.transactions import execute, query, set_variables

NOT_SET: Final = "SW8928"
DOES_NOT_FIT: Final = "SW8940"
_LOCK_WAITS: Final = 5
"""Seconds: new readers of the table wait behind the ALTER TABLE."""

Place = tuple[int, str]
"""Of a counter: the index of its database, and the suffix of its table."""


@dataclass(frozen=True, slots=True)
class UsedNumbers:
    """What one side has given of a column's numbers."""

    largest: int
    """Of all rows; 0 where there are none."""
    counters: Mapping[Place, int | None]
    """The number that each counter gives next. None: nothing is recorded."""
    end: End | None
    """The least number at which one of the columns or counters ends; None where none is known."""

    @property
    def next(self) -> int:
        return max((self.largest + 1, *(found or 0 for found in self.counters.values())))


@dataclass(frozen=True, slots=True)
class Seed:
    """A column, and how its counters on the side that takes the writes are to be set."""

    ids: NextIds
    """The column, as the plan has it."""
    where: str
    """The counters, for people."""
    wanted: int
    """The number that each is to give next."""
    behind: Mapping[Place, int | None]
    """The counters that give a smaller number now."""
    largest: int
    """That a row of either side has, or that a counter of the other side has given."""
    end: End | None
    """As `Used.end` of that side."""

    @property
    def fault(self) -> Fault | None:
        """Where no new row would find a number."""
        if self.end is None or self.wanted < self.end.number:
            return None
        return Fault(
            DOES_NOT_FIT,
            f"{self.ids.title}: numbers up to {self.largest:,} are given, so with the margin of {self.ids.margin:,} "
            f"the next one would be {self.wanted:,}, and {self.end.where} ends at {self.end.number:,}",
            "give the column a larger type on both sides, or take a smaller `margin` under `ids`",
        )

    def __str__(self) -> str:
        numbers = ", ".join(sorted({str(found) if found else "nothing yet" for found in self.behind.values()}))
        if not self.behind:
            return f"{self.ids.title}: {self.where} gives {self.wanted:,} or more already"
        return f"{self.ids.title}: {self.where} from {numbers} to {self.wanted:,}"


def seeds(into: Way, other: Way) -> list[Seed]:
    """How the counters of `into.plan`'s target are to be set; `other` is the opposite direction. Raises the driver's
    error."""
    if not into.plan.ids:
        return []
    pairs = zip(into.plan.ids, _read_used(into), _read_used(other), strict=True)
    return [_seed(into.plan, ids, here, there) for ids, here, there in pairs]


def seed(into: Way, other: Way) -> list[str]:
    """Sets them, and returns what was set, in words. May be repeated. Raises Refused (SW8928, or SW8940 before any is
    set)."""
    try:
        found = seeds(into, other)
        for fault in (item.fault for item in found):
            if fault is not None:
                raise Refused(fault.code, f"{fault.message}. Nothing was switched")
        for shard in sorted({place[0] for item in found for place in item.behind}):
            with closing(connect(into, shard)) as connection:
                execute(connection, f"SET SESSION lock_wait_timeout = {_LOCK_WAITS}")
                for item in found:
                    for place in item.behind:
                        if place[0] == shard:
                            _set(connection, into.plan, item, place)
    except pymysql.err.MySQLError as error:
        raise Refused(
            NOT_SET, f"the numbers of new rows could not be set ({error.args[-1]}), so nothing was switched"
        ) from error
    return [str(item) for item in found]


def _seed(plan: Plan, ids: NextIds, here: UsedNumbers, there: UsedNumbers) -> Seed:
    following = max(here.largest + 1, there.next)
    wanted = following + ids.margin
    behind = {place: number for place, number in here.counters.items() if (number or 0) < wanted}
    return Seed(ids, counter_name(plan, ids), wanted, behind, following - 1, here.end)


def counter_name(plan: Plan, ids: NextIds) -> str:
    """For people."""
    where = ", ".join(sorted({f"{plan.databases[shard]}.{with_suffix(ids.counter, suffix)}"
                              for shard, suffix in places(plan, ids)}))  # fmt: skip
    return f"row '{ids.row}' of {where}" if ids.kind == "segment" else f"AUTO_INCREMENT of {where}"


def places(plan: Plan, ids: NextIds) -> Iterator[Place]:
    """Of the column's counters."""
    if ids.kind == "segment":
        assert ids.database is not None
        yield ids.database, ""
        return
    for shard, suffix in _tables(plan, ids):
        if ids.database in (None, shard):
            yield shard, suffix


def _tables(plan: Plan, ids: NextIds) -> Iterator[Place]:
    """The places of the physical tables."""
    table = plan.table(ids.table)
    for shard in plan.shards(table):
        for suffix in plan.parts(table):
            yield shard, suffix


def connect(way: Way, shard: int) -> Connection[Any]:
    """In the target's database, whose counters are those of now."""
    connection = way.connect_target(shard)
    ask_afresh(connection)
    return connection


def _read_used(way: Way) -> list[UsedNumbers]:
    """What the target of a direction has given of each column, one server after the other."""
    plan = way.plan
    largest = [0] * len(plan.ids)
    counters: list[dict[Place, int | None]] = [{} for _ in plan.ids]
    ends: list[list[End]] = [[] for _ in plan.ids]
    for shard in range(len(plan.databases)):
        with closing(connect(way, shard)) as connection:
            for index, ids in enumerate(plan.ids):
                for place in _tables(plan, ids):
                    if place[0] == shard:
                        largest[index] = max(largest[index], _largest(connection, plan, ids, place) or 0)
                        ends[index] += _end(connection, plan, plan.table(ids.table).physical, place, ids.column)
                for place in places(plan, ids):
                    if place[0] == shard:
                        counters[index][place] = _gives(connection, plan, ids, place)
                        if ids.kind == "segment":
                            ends[index] += _end(connection, plan, ids.counter, place, next_number_column(ids))
    found = zip(largest, counters, ends, strict=True)
    return [UsedNumbers(number, given, min(of_types, default=None)) for number, given, of_types in found]


def _end(connection: Connection[Any], plan: Plan, table: str, place: Place, column: str) -> list[End]:
    found = end_of(connection, plan.databases[place[0]], with_suffix(table, place[1]), column)
    return [found] if isinstance(found, End) else []


def _largest(connection: Connection[Any], plan: Plan, ids: NextIds, place: Place) -> int | None:
    found = query(connection, at_place(ids.largest, plan.databases[place[0]], place[1]))[0][0]
    return None if found is None else int(found)


def _gives(connection: Connection[Any], plan: Plan, ids: NextIds, place: Place) -> int | None:
    """What the counter gives next."""
    if ids.kind == "auto_increment":
        set_variables(connection, sw_database=plan.databases[place[0]], sw_table=with_suffix(ids.counter, place[1]))
    rows = query(connection, ids.read)
    return int(rows[0][0]) if rows and rows[0][0] is not None else None


def seed_statement(plan: Plan, ids: NextIds, place: Place, wanted: int) -> str:
    return at_place(ids.seed, plan.databases[place[0]], place[1]).replace(NEXT, str(wanted))


def _set(connection: Connection[Any], plan: Plan, item: Seed, place: Place) -> None:
    ids = item.ids
    execute(connection, seed_statement(plan, ids, place, item.wanted))
    found = _gives(connection, plan, ids, place)
    if (found or 0) < item.wanted:
        raise Refused(
            NOT_SET,
            f"{ids.title}: {item.where} gives {found} although it was set to {item.wanted}, so nothing was switched: "
            "does its type hold the number?",
        )
