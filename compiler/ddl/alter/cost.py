"""How heavy a clause is on each kind of server: the rules of both manuals' pages on online DDL, as one table.

A class is a promise to the operator, so what the rules do not decide for certain is `copying`. The rules are those of
MySQL from 8.0.29 and of MariaDB from 10.11; a server or a table of which they are not true (a full-text index, a
compressed row format) refuses the statement. `tests/ddl/test_classes.py` asks both servers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from shardwright.compiler.plan.plan import DdlClass

_ALGORITHMS: Final = ("INSTANT", "NOCOPY", "INPLACE", "COPY")
"""Light to heavy. NOCOPY is MariaDB's word for in place without building the table anew."""
_OPEN_LOCKS: Final = frozenset({None, "NONE", "DEFAULT"})


@dataclass(frozen=True, slots=True)
class Way:
    """`lock` None: the clause is left out. MySQL takes none beside INSTANT. MariaDB from 11.2 on copies a table that
    stays open to writers, and older ones do not: without the clause each does the best it can."""

    algorithm: str
    lock: str | None = None

    @property
    def ddl_class(self) -> DdlClass:
        if self.algorithm == "INSTANT":
            return "instant"
        if self.algorithm not in _ALGORITHMS or self.algorithm == "COPY":
            return "copying"
        return "in_place" if self.lock in _OPEN_LOCKS else "blocking"

    @property
    def weight(self) -> tuple[int, bool]:
        known = self.algorithm in _ALGORITHMS
        return (_ALGORITHMS.index(self.algorithm) if known else len(_ALGORITHMS), self.lock not in _OPEN_LOCKS)

    def __str__(self) -> str:
        return f"ALGORITHM={self.algorithm}" + (f", LOCK={self.lock}" if self.lock else "")


INSTANT: Final = Way("INSTANT")
NOCOPY: Final = Way("NOCOPY", "NONE")
IN_PLACE: Final = Way("INPLACE", "NONE")
READ_ONLY: Final = Way("INPLACE", "SHARED")
NOCOPY_READ_ONLY: Final = Way("NOCOPY", "SHARED")
COPY_ON_MYSQL: Final = Way("COPY", "SHARED")
COPY_ON_MARIADB: Final = Way("COPY")
_COPY: Final = (COPY_ON_MYSQL, COPY_ON_MARIADB)


class Cost(Enum):
    """What documents call such a clause, and the lightest way that is certain on MySQL and on MariaDB."""

    ADD_COLUMN = "ADD COLUMN", INSTANT, INSTANT
    ADD_COLUMN_NOW = "ADD COLUMN … DEFAULT CURRENT_TIMESTAMP", INSTANT, INSTANT
    ADD_COLUMN_COMPUTED = "ADD COLUMN … DEFAULT (expression)", *_COPY
    ADD_VIRTUAL = "ADD COLUMN … VIRTUAL", INSTANT, INSTANT
    ADD_STORED = "ADD COLUMN … STORED", *_COPY
    DROP_COLUMN = "DROP COLUMN", INSTANT, INSTANT
    DROP_USED_COLUMN = "DROP COLUMN of one that an earlier file has used for an index", IN_PLACE, IN_PLACE
    RENAME_COLUMN = "RENAME COLUMN", INSTANT, INSTANT
    RETYPE_COLUMN = "MODIFY COLUMN, CHANGE COLUMN", *_COPY
    DEFAULT = "ALTER COLUMN … SET DEFAULT, DROP DEFAULT", INSTANT, INSTANT
    COLUMN_VISIBILITY = "ALTER COLUMN … SET VISIBLE, INVISIBLE", INSTANT, COPY_ON_MARIADB
    ADD_INDEX = "ADD INDEX, ADD UNIQUE INDEX", IN_PLACE, NOCOPY
    ADD_FUNCTIONAL_INDEX = "ADD INDEX over an expression", READ_ONLY, COPY_ON_MARIADB
    ADD_FUNCTIONAL_UNIQUE = "ADD UNIQUE INDEX over an expression", *_COPY
    ADD_FULLTEXT = "ADD FULLTEXT INDEX", READ_ONLY, READ_ONLY
    ADD_SPATIAL = "ADD SPATIAL INDEX", READ_ONLY, NOCOPY_READ_ONLY
    DROP_INDEX = "DROP INDEX", IN_PLACE, NOCOPY
    RENAME_INDEX = "RENAME INDEX", IN_PLACE, INSTANT
    INDEX_VISIBILITY = "ALTER INDEX … VISIBLE, INVISIBLE", IN_PLACE, COPY_ON_MARIADB
    PRIMARY_KEY = "ADD PRIMARY KEY, also with DROP PRIMARY KEY", IN_PLACE, IN_PLACE
    ADD_CHECK = "ADD CHECK, also of a new column", *_COPY
    DROP_CHECK = "DROP CHECK, DROP CONSTRAINT", INSTANT, INSTANT
    CONVERT = "CONVERT TO CHARACTER SET", *_COPY
    DEFAULT_SET = "CHARACTER SET, COLLATE of the table, for new columns", IN_PLACE, INSTANT
    TABLE_COMMENT = "COMMENT of the table", IN_PLACE, INSTANT
    BUILD_AGAIN = "FORCE, ENGINE=InnoDB, ROW_FORMAT, KEY_BLOCK_SIZE", IN_PLACE, IN_PLACE
    STATISTICS = "STATS_PERSISTENT, STATS_AUTO_RECALC, STATS_SAMPLE_PAGES", IN_PLACE, INSTANT
    OTHER = "anything else", *_COPY

    def __init__(self, words: str, mysql: Way, mariadb: Way) -> None:
        self.words = words
        self.mysql = mysql
        self.mariadb = mariadb

    def on(self, *, mariadb: bool) -> Way:
        return self.mariadb if mariadb else self.mysql


_OPTIONS: Final = frozenset({Cost.DEFAULT_SET, Cost.TABLE_COMMENT, Cost.STATISTICS})
_ALONE: Final = frozenset({Cost.ADD_VIRTUAL, Cost.ADD_FUNCTIONAL_INDEX})
"""MySQL's index over an expression is one over a hidden virtual column."""


def way_of(costs: Iterable[Cost], *, mariadb: bool) -> Way:
    """The lightest way that is certain for clauses in one statement: at least the gravest one's."""
    kinds = frozenset(costs)
    if len(kinds) > 1 and kinds & _ALONE:
        # Both servers add virtual columns by themselves: beside most other clauses not even in place.
        return Cost.OTHER.on(mariadb=mariadb)
    found = _gravest(kind.on(mariadb=mariadb) for kind in kinds)
    rebuilds = found.algorithm == "NOCOPY" or (found == INSTANT and kinds & _OPTIONS)
    if mariadb and len(kinds) > 1 and rebuilds:
        # What is instant by itself builds the table anew beside a new index; an option of the table is instant alone.
        return Way("INPLACE", found.lock or "NONE")
    return found


def _gravest(ways: Iterable[Way]) -> Way:
    """What carries out all of them in one statement."""
    found = list(ways)
    heaviest = max(found, key=lambda way: _ALGORITHMS.index(way.algorithm))
    shared = heaviest.algorithm in ("NOCOPY", "INPLACE") and any(way.lock == "SHARED" for way in found)
    return Way(heaviest.algorithm, "SHARED") if shared else heaviest


def heavier(way: Way, *, mariadb: bool) -> tuple[Way, ...]:
    """What a server may still do that does not do it this way, light to heavy."""
    steps = (IN_PLACE, READ_ONLY, Cost.OTHER.on(mariadb=mariadb))
    return tuple(step for step in steps if step.weight > way.weight)
