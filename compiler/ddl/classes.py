"""How heavy a routed change is on each kind of server: the rules of both manuals' pages on online DDL, as one table.

A class is a promise to the operator. So the statement that a server gets asks for just the algorithm and lock of its class,
and what the rules cannot tell for certain is `copying`. The rules are those of MySQL from 8.0.29 and of MariaDB from 10.11;
a server or a table of which they are not true (a full-text index, a compressed row format) refuses the statement.
`tests/ddl/test_classes.py` asks both servers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from sqlglot import exp

from shardwright.compiler.ddl.clauses import Clause, clauses_of
from shardwright.compiler.ddl.ways import (
    COPY_ON_MARIADB,
    COPY_ON_MYSQL,
    IN_PLACE,
    INSTANT,
    NOCOPY,
    NOCOPY_READ_ONLY,
    READ_ONLY,
    Way,
    as_written,
    asking,
    gravest,
    written_way,
)
from shardwright.compiler.plan.plan import DdlForm
from shardwright.compiler.sql.sql_text import to_sql


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
    Clause.ADD_FULLTEXT: Rule(READ_ONLY, READ_ONLY),
    Clause.ADD_SPATIAL: Rule(READ_ONLY, NOCOPY_READ_ONLY),
    Clause.DROP_INDEX: Rule(IN_PLACE, NOCOPY),
    Clause.RENAME_INDEX: Rule(IN_PLACE, INSTANT),
    Clause.INDEX_VISIBILITY: Rule(IN_PLACE, COPY_ON_MARIADB),
    Clause.PRIMARY_KEY: Rule(IN_PLACE, IN_PLACE),
    Clause.ADD_CHECK: _COPY,
    Clause.DROP_CHECK: Rule(INSTANT, INSTANT),
    Clause.TABLE_COMMENT: Rule(IN_PLACE, INSTANT),
    Clause.OTHER: _COPY,
}


_ALONE: Final = frozenset({Clause.ADD_VIRTUAL, Clause.ADD_FUNCTIONAL_INDEX})
"""MySQL's index over an expression is one over a hidden virtual column."""


def forms_of(tree: exp.Expr, *, used: frozenset[str] = frozenset()) -> tuple[DdlForm, DdlForm]:
    """What MySQL gets and what MariaDB gets for a checked statement (`statement_kinds`). `used`: columns, in lower case, that an
    index, a check or a generated column may name."""
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
    rebuilds = found.algorithm == "NOCOPY" or (found == INSTANT and Clause.TABLE_COMMENT in kinds)
    if mariadb and len(kinds) > 1 and rebuilds:
        # What is instant by itself builds the table anew beside a new index; a comment of the table is instant alone.
        return Way("INPLACE", found.lock or "NONE")
    return found


def _as_alter(tree: exp.Expr) -> exp.Alter:
    """DROP INDEX … ON as ALTER TABLE … DROP INDEX: sqlglot has no place for ALGORITHM in the former."""
    if isinstance(tree, exp.Alter):
        return tree
    assert isinstance(tree, exp.Drop)
    action = exp.Drop(tables=[tree.args["tables"][0].copy()], kind="INDEX")
    return exp.Alter(this=tree.args["cluster"].this.copy(), kind="TABLE", actions=[action])
