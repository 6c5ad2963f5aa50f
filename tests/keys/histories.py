"""Made-up histories of rows whose keys are spelt in several ways, carried out by a real server: it says which of them
are possible, which rows they hit, and what the table holds after each transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pymysql
from hypothesis import strategies as st
from pymysql.cursors import Cursor

from shardwright.runtime.rehearsal.dry_run.batch import Event

Row = tuple[Any, ...]
"""story, name, version, mark, tag, amount."""

SPELLINGS = (
    ("abc", "ABC", "aBc", "äbc", "abc ", "ábc", "abc\u0301"),
    ("ss", "ß", "SS", "s", "S"),
    ("a", "a ", "A", "å", "á", "a  "),
    ("ae", "æ", "Æ", "ä", "Ä"),
    ("", " ", "  ", "\u00a0", "\u00ad"),
    ("😀", "🚚", "\ufffd", "\U00010400", "\U00010428"),
    ("fi", "ﬁ", "FI", "ⅳ", "Ⅳ", "iv"),
    ("ł", "l", "L", "Ł", "đ", "d"),
    ("kelvin", "\u212aelvin", "Kelvin", "ĸelvin"),
    ("각", "\u1100\u1161\u11a8", "が", "か", "ガ", "ｶﾞ"),
)

_BEGINNINGS = ("ab", "äb", "AB", "ß", "ss", "x ", "x", "æ", "\u00a0å", "bb")
"""Of marks and tags, where only their first two characters are unique."""


@dataclass(frozen=True)
class Step:
    """One transaction: what is tried with the rows named `name` and `other`."""

    what: str
    name: str
    other: str
    number: int


@dataclass(frozen=True)
class History:
    """`cuts` are the ends of its batches and `backs` how many transactions each begins earlier: a replay."""

    steps: tuple[Step, ...]
    cuts: tuple[int, int]
    backs: tuple[int, int]


@dataclass
class Log:
    """What the server made of a story: the events of each transaction, and the table after each (first: before all)."""

    transactions: list[list[Event]] = field(default_factory=list)
    states: list[frozenset[Row]] = field(default_factory=lambda: [frozenset()])

    def events(self, first: int, end: int) -> list[Event]:
        return [event for transaction in self.transactions[first:end] for event in transaction]


WHATS = (
    "insert",
    "insert",
    "rename",
    "rename",
    "respell",
    "delete",
    "change",
    "transfer",
    "swap",
    "rotate",
    "cross",
    "again",
)


@st.composite
def histories(draw: st.DrawFn) -> History:
    names = draw(st.sampled_from(SPELLINGS))
    names = (*names, draw(st.sampled_from(draw(st.sampled_from(SPELLINGS)))))
    steps = tuple(
        Step(
            draw(st.sampled_from(WHATS)),
            draw(st.sampled_from(names)),
            draw(st.sampled_from(names)),
            draw(st.integers(0, 9)),
        )
        for _ in range(draw(st.integers(2, 12)))
    )
    cuts = sorted(draw(st.integers(0, len(steps))) for _ in range(2))
    backs = (draw(st.sampled_from((0, 0, 1, 3))), draw(st.sampled_from((0, 0, 1, 9))))
    return History(steps, (cuts[0], cuts[1]), backs)


class Teller:
    """Carries out stories in one source table with the columns of `Row`, unique by (story, name), (story, mark) and
    (story, tag). Marks and tags are of the same few values, which is no conflict (hazard D16). `tails`: there is more
    behind their first two characters, which are what is unique."""

    def __init__(self, cursor: Cursor, table: str, source: str, charset: str, *, tails: bool = False) -> None:
        self._cursor = cursor
        self._table = table
        self._source = source
        self._encoding = {"latin1": "cp1252"}.get(charset, "utf-8")
        self._offset = 4
        self._log = Log()
        self._events: list[Event] = []
        self._history = 0
        self._tails = tails

    def _mark(self, number: int, name: str) -> str:
        return f"{_BEGINNINGS[number]}{name}{number}" if self._tails else f"m{number}"

    def report(self, number: int, history: History) -> Log:
        self._log, self._history = Log(), number
        for step in history.steps:
            self._events = []
            if self._can_hold(step):
                self._try(step)
            self._log.transactions.append(self._events)
            self._log.states.append(self._state())
        return self._log

    def _can_hold(self, step: Step) -> bool:
        try:
            (step.name + step.other).encode(self._encoding)
        except UnicodeEncodeError:
            return False
        return True

    def _try(self, step: Step) -> None:
        self._cursor.execute("BEGIN")
        try:
            _DEEDS[step.what](self, step)
        except pymysql.err.IntegrityError:
            self._cursor.execute("ROLLBACK")
            self._events = []
        else:
            self._cursor.execute("COMMIT")

    def _state(self) -> frozenset[Row]:
        self._cursor.execute(f"SELECT * FROM {self._table} WHERE story = %s", (self._history,))
        return frozenset(tuple(row) for row in self._cursor.fetchall())

    def _row(self, name: str) -> Row | None:
        """The row of that key, as the server compares keys."""
        self._cursor.execute(f"SELECT * FROM {self._table} WHERE story = %s AND name = %s", (self._history, name))
        row = self._cursor.fetchone()
        return None if row is None else tuple(row)

    def insert(self, step: Step) -> None:
        mark, tag = self._mark(step.number, step.name), self._mark(9 - step.number, step.other)
        row = (self._history, step.name, step.number, mark, tag, 100)
        self._cursor.execute(f"INSERT INTO {self._table} VALUES (%s, %s, %s, %s, %s, %s)", row)
        self._note("I", None, row)

    def delete(self, step: Step) -> None:
        row = self._row(step.name)
        if row is not None:
            self._cursor.execute(f"DELETE FROM {self._table} WHERE story = %s AND name = %s", row[:2])
            self._note("D", row, None)

    def rename(self, step: Step) -> None:
        self._update(step.name, name=step.other)

    def respell(self, step: Step) -> None:
        """Another spelling, and a version that may go back (C2)."""
        self._update(step.name, name=step.name.swapcase(), version=step.number)

    def change(self, step: Step) -> None:
        self._update(
            step.name, version=step.number, mark=self._mark(step.number, step.other) if step.number % 3 else None
        )

    def cross(self, step: Step) -> None:
        """Two rows give each other their mark as the other's tag."""
        one, two = self._row(step.name), self._row(step.other)
        if one is not None and two is not None and one != two:
            self._update(one[1], mark=None, tag=None)
            self._update(two[1], mark=one[4], tag=one[3])
            self._update(one[1], mark=two[4], tag=two[3])

    def transfer(self, step: Step) -> None:
        one, two = self._row(step.name), self._row(step.other)
        if one is not None and two is not None and one != two:
            self._update(one[1], amount=one[5] - step.number)
            self._update(two[1], amount=two[5] + step.number)

    def swap(self, step: Step) -> None:
        """Two rows exchange their unique marks (hazard D10)."""
        one, two = self._row(step.name), self._row(step.other)
        if one is not None and two is not None and one != two:
            self._update(one[1], mark=None)
            self._update(two[1], mark=one[3])
            self._update(one[1], mark=two[3])

    def rotate(self, step: Step) -> None:
        """Two rows exchange their keys by way of a third one (hazard D9)."""
        one, two = self._row(step.name), self._row(step.other)
        if one is not None and two is not None and one != two:
            self._update(one[1], name="between")
            self._update(two[1], name=one[1])
            self._update("between", name=two[1])

    def again(self, step: Step) -> None:
        """A row goes and comes back under another spelling in one transaction (hazard D1)."""
        self.delete(step)
        self.insert(Step("insert", step.other, step.other, step.number))

    def _update(self, key: str, **values: Any) -> None:
        before = self._row(key)
        if before is None:
            return
        names = ("story", "name", "version", "mark", "tag", "amount")
        after = tuple(values.get(name, old) for name, old in zip(names, before, strict=True))
        self._cursor.execute(
            f"UPDATE {self._table} SET name = %s, version = %s, mark = %s, tag = %s, amount = %s "
            "WHERE story = %s AND name = %s",
            (*after[1:], *before[:2]),
        )
        if after != before:
            self._note("U", before, after)

    def _note(self, op: str, before: Row | None, after: Row | None) -> None:
        self._offset += 10
        # Clocks run backwards: only the position may decide.
        position = (1, 1 + self._offset // 500, self._offset % 500, 0)
        self._events.append(Event(self._source, op, position, 10**9 - self._offset, _texts(before), _texts(after)))


_DEEDS: Mapping[str, Callable[[Teller, Step], None]] = {
    "insert": Teller.insert,
    "delete": Teller.delete,
    "rename": Teller.rename,
    "respell": Teller.respell,
    "change": Teller.change,
    "transfer": Teller.transfer,
    "swap": Teller.swap,
    "cross": Teller.cross,
    "rotate": Teller.rotate,
    "again": Teller.again,
}


def _texts(row: Row | None) -> Sequence[str | None] | None:
    return None if row is None else [None if value is None else str(value) for value in row]
