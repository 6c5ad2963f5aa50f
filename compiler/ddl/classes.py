"""How heavy a routed change is on each kind of server, and with which ALGORITHM and LOCK a server is asked to carry it
out: the rules of both manuals' pages on online DDL, as one table.

A class is a promise to the operator. So the statement that a server gets asks for just the algorithm and lock of its
class, and what the rules do not decide for certain is `copying`. The rules are those of MySQL from 8.0.29 and of
MariaDB from 10.11; a server or a table of which they are not true (a full-text index, a compressed row format) refuses
the statement. `tests/ddl/test_classes.py` asks both servers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from sqlglot import exp

from shardwright.compiler.ddl.clauses import Clause, clauses_of
from shardwright.compiler.plan.plan import DdlClass, DdlForm
from shardwright.compiler.sql.sql_text import to_sql

_ALGORITHMS: Final = ("INSTANT", "NOCOPY", "INPLACE", "COPY")
"""Light to heavy. NOCOPY is MariaDB's word for in place without building the table anew."""
_OPEN_LOCKS: Final = frozenset({None, "NONE", "DEFAULT"})


@dataclass(frozen=True, slots=True)
class Way:
    """`lock` None: the clause is left out. MySQL takes none beside INSTANT. MariaDB from 11.2 on copies a table that
    stays open
    to writers, and older ones do not: without the clause each does the best it can."""

    algorithm: str
    lock: str | None = None

    @property
    def ddl_class(self) -> DdlClass:
        if self.algorithm == "INSTANT":
            return "instant"
        if self.algorithm not in _ALGORITHMS or self.algorithm == "COPY":
            return "copying"
        return "in_place" if self.lock in _OPEN_LOCKS else "blocking"

    def __str__(self) -> str:
        return f"ALGORITHM={self.algorithm}" + (f", LOCK={self.lock}" if self.lock else "")


INSTANT: Final = Way("INSTANT")
NOCOPY: Final = Way("NOCOPY", "NONE")
IN_PLACE: Final = Way("INPLACE", "NONE")
READ_ONLY: Final = Way("INPLACE", "SHARED")
NOCOPY_READ_ONLY: Final = Way("NOCOPY", "SHARED")
COPY_ON_MYSQL: Final = Way("COPY", "SHARED")
COPY_ON_MARIADB: Final = Way("COPY")


def gravest(ways: Iterable[Way]) -> Way:
    """What carries out all of them in one statement."""
    found = list(ways)
    heaviest = max(found, key=lambda way: _ALGORITHMS.index(way.algorithm))
    shared = heaviest.algorithm in ("NOCOPY", "INPLACE") and any(way.lock == "SHARED" for way in found)
    return Way(heaviest.algorithm, "SHARED") if shared else heaviest


def written_way(tree: exp.Expr) -> Way | None:
    """The way that a file names itself; None when it names neither algorithm nor lock, '' for the one it leaves
    open."""
    algorithm, lock = _option(tree, exp.AlgorithmProperty), _option(tree, exp.LockProperty)
    return Way(algorithm or "", lock) if algorithm or lock else None


def _option(tree: exp.Expr, kind: type[exp.Expr]) -> str | None:
    found = next((option for option in tree.args.get("options") or () if isinstance(option, kind)), None)
    return found.name.upper() if found is not None else None


def as_written(written: Way, ruled: Way) -> Way:
    """What is written stands; the rest is filled in, so that the server refuses what would be heavier."""
    if not written.algorithm:
        # MySQL takes no lock beside INSTANT, and what is instant can be done in place.
        algorithm = "INPLACE" if ruled.algorithm == "INSTANT" and written.lock != "DEFAULT" else ruled.algorithm
        return Way(algorithm, written.lock)
    if written.lock or written.algorithm not in ("NOCOPY", "INPLACE"):
        return written
    return Way(written.algorithm, ruled.lock if ruled.ddl_class == "blocking" else "NONE")


def asking(tree: exp.Alter, way: Way) -> exp.Alter:
    """The statement with the clauses of `way` instead of those it has, as a copy."""
    asked = tree.copy()
    others = [
        option
        for option in asked.args.get("options") or ()
        if not isinstance(option, (exp.AlgorithmProperty, exp.LockProperty))
    ]
    clauses: list[exp.Expr] = [exp.AlgorithmProperty(this=exp.Var(this=way.algorithm))]
    if way.lock:
        clauses.append(exp.LockProperty(this=exp.Var(this=way.lock)))
    asked.set("options", [*others, *clauses])
    return asked


def heavier(way: Way, *, mariadb: bool) -> tuple[Way, ...]:
    """What a server may still do that does not do it this way, light to heavy."""
    steps = (IN_PLACE, READ_ONLY, COPY_ON_MARIADB if mariadb else COPY_ON_MYSQL)
    return tuple(step for step in steps if _weight(step) > _weight(way))


def _weight(way: Way) -> tuple[int, bool]:
    known = way.algorithm in _ALGORITHMS
    return (_ALGORITHMS.index(way.algorithm) if known else len(_ALGORITHMS), way.lock not in _OPEN_LOCKS)


@dataclass(frozen=True, slots=True)
class Rule:
    mysql: Way
    mariadb: Way


_COPY: Final = Rule(COPY_ON_MYSQL, COPY_ON_MARIADB)

RULES: Final[Mapping[Clause, Rule]] = {
    Clause.ADD_COLUMN: Rule(INSTANT, INSTANT),
    Clause.ADD_COLUMN_NOW: Rule(INSTANT, INSTANT),
    Clause.ADD_COLUMN_COMPUTED: _COPY,
    Clause.ADD_VIRTUAL: Rule(INSTANT, INSTANT),
    Clause.ADD_STORED: _COPY,
    Clause.DROP_COLUMN: Rule(INSTANT, INSTANT),
    Clause.DROP_USED_COLUMN: Rule(IN_PLACE, IN_PLACE),
    Clause.RENAME_COLUMN: Rule(INSTANT, INSTANT),
    Clause.RETYPE_COLUMN: _COPY,
    Clause.DEFAULT: Rule(INSTANT, INSTANT),
    Clause.COLUMN_VISIBILITY: Rule(INSTANT, COPY_ON_MARIADB),
    Clause.ADD_INDEX: Rule(IN_PLACE, NOCOPY),
    Clause.ADD_FUNCTIONAL_INDEX: Rule(READ_ONLY, COPY_ON_MARIADB),
    Clause.ADD_FUNCTIONAL_UNIQUE: _COPY,
    Clause.ADD_FULLTEXT: Rule(READ_ONLY, READ_ONLY),
    Clause.ADD_SPATIAL: Rule(READ_ONLY, NOCOPY_READ_ONLY),
    Clause.DROP_INDEX: Rule(IN_PLACE, NOCOPY),
    Clause.RENAME_INDEX: Rule(IN_PLACE, INSTANT),
    Clause.INDEX_VISIBILITY: Rule(IN_PLACE, COPY_ON_MARIADB),
    Clause.PRIMARY_KEY: Rule(IN_PLACE, IN_PLACE),
    Clause.ADD_CHECK: _COPY,
    Clause.DROP_CHECK: Rule(INSTANT, INSTANT),
    Clause.CONVERT: _COPY,
    Clause.DEFAULT_SET: Rule(IN_PLACE, INSTANT),
    Clause.TABLE_COMMENT: Rule(IN_PLACE, INSTANT),
    Clause.BUILD_ANEW: Rule(IN_PLACE, IN_PLACE),
    Clause.STATISTICS: Rule(IN_PLACE, INSTANT),
    Clause.OTHER: _COPY,
}


_OPTIONS: Final = frozenset({Clause.DEFAULT_SET, Clause.TABLE_COMMENT, Clause.STATISTICS})
_ALONE: Final = frozenset({Clause.ADD_VIRTUAL, Clause.ADD_FUNCTIONAL_INDEX})
"""MySQL's index over an expression is one over a hidden virtual column."""


def forms_of(tree: exp.Expr, *, used: frozenset[str] = frozenset()) -> tuple[DdlForm, DdlForm]:
    """What MySQL gets and what MariaDB gets for a checked statement (`statement_kinds`). `used`: columns, in lower
    case, that an index, a check or a generated column may name."""
    alter = _as_alter(tree)
    clauses = clauses_of(alter, used=used)
    written = written_way(alter)
    made = []
    for ruled in (way_of(clauses, mariadb=False), way_of(clauses, mariadb=True)):
        way = ruled if written is None else as_written(written, ruled)
        made.append(DdlForm(way.ddl_class, to_sql(asking(alter, way), "mysql")))
    return made[0], made[1]


def way_of(clauses: Iterable[Clause], *, mariadb: bool) -> Way:
    """The lightest way that is certain for all clauses together: at least the gravest one's."""
    kinds = frozenset(clauses)
    if len(kinds) > 1 and kinds & _ALONE:
        # Both servers add virtual columns by themselves: beside most other clauses not even in place.
        return COPY_ON_MARIADB if mariadb else COPY_ON_MYSQL
    found = gravest(RULES[kind].mariadb if mariadb else RULES[kind].mysql for kind in kinds)
    rebuilds = found.algorithm == "NOCOPY" or (found == INSTANT and kinds & _OPTIONS)
    if mariadb and len(kinds) > 1 and rebuilds:
        # What is instant by itself builds the table anew beside a new index; an option of the table is instant alone.
        return Way("INPLACE", found.lock or "NONE")
    return found


def _as_alter(tree: exp.Expr) -> exp.Alter:
    """DROP INDEX … ON as ALTER TABLE … DROP INDEX: sqlglot has no place for ALGORITHM in the former."""
    if isinstance(tree, exp.Alter):
        return tree
    assert isinstance(tree, exp.Drop)
    action = exp.Drop(tables=[tree.args["tables"][0].copy()], kind="INDEX")
    return exp.Alter(this=tree.args["cluster"].this.copy(), kind="TABLE", actions=[action])
