"""How a server can be asked to carry out an ALTER TABLE: with which ALGORITHM, leaving the table open to whom (LOCK)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from sqlglot import exp

from shardwright.compiler.plan.plan import DdlClass

_ALGORITHMS: Final = ("INSTANT", "NOCOPY", "INPLACE", "COPY")
"""Light to heavy. NOCOPY is MariaDB's word for in place without building the table anew."""
_OPEN_LOCKS: Final = frozenset({None, "NONE", "DEFAULT"})


@dataclass(frozen=True, slots=True)
class Way:
    """`lock` None: the clause is left out. MySQL takes none beside INSTANT. MariaDB from 11.2 on copies a table that stays open
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
    """The way that a file names itself; None when it names neither algorithm nor lock, '' for the one it leaves open."""
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
