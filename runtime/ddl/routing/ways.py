"""Which statements ask a server for a change? The plan's, and heavier ones where the operator allows them.

Pure.
"""

from __future__ import annotations

import re
from collections.abc import Set

import pymysql
from sqlglot import exp

from shardwright.compiler.ddl.alter.cost import Way, heavier
from shardwright.compiler.ddl.alter.forms import apply_way, way_in_file
from shardwright.compiler.plan.plan import DdlChange, with_suffix
from shardwright.compiler.sql.mysql_parser import parse_sql
from shardwright.compiler.sql.sql_text import to_sql
from shardwright.runtime.ddl.routing.consent import BLOCKING, COPYING, HEAVIER
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.errors import NOT_THIS_WAY

_OFFERED = re.compile(r"Try (?:ALGORITHM|LOCK)=([A-Z/]+)")
_CODE_OF_CLASS = {"in_place": HEAVIER, "blocking": BLOCKING, "copying": COPYING}


def statements(change: DdlChange, *, suffix: str, mariadb: bool, allowed: Set[str]) -> tuple[str, ...]:
    """In the order they are tried: each after the server refused the one before."""
    form = change.form(mariadb=mariadb)
    if form is None:
        return (with_suffix(change.template, suffix),)
    tries = [form.statement]
    if HEAVIER in allowed and isinstance(tree := parse_sql(form.statement), exp.Alter):
        tries += [to_sql(apply_way(tree, way), "mysql") for way in _heavier(tree, mariadb) if _code(way) in allowed]
    return tuple(with_suffix(statement, suffix) for statement in tries)


def is_refused_way(error: pymysql.err.MySQLError) -> bool:
    """The server cannot do it with the algorithm or the lock that was asked for."""
    return bool(error.args) and error.args[0] in NOT_THIS_WAY


def refusal_of_way(
    error: pymysql.err.MySQLError, change: DdlChange, *, table: str, mariadb: bool, tried: str
) -> Refused:
    """`tried` is the last statement. Names what the server offers and the codes that allow it."""
    tree = _alter(tried)
    text = str(error.args[1]).rstrip(".")
    said = (
        f"{table}: the server refuses to do statement {change.ordinal} of {change.file} with {way_in_file(tree)}: "
        f"{text}"
    )
    codes = _codes_for(text) & {HEAVIER, *map(_code, _heavier(tree, mariadb))}
    if not codes - {HEAVIER} and not _heavier(tree, mariadb):
        return Refused(HEAVIER, f"{said}. Write the change in another way, in a new file")
    flag = ",".join(sorted(codes))
    return Refused(
        HEAVIER,
        f"{said}. To allow a heavier way than planned, run again with --allow {flag} "
        f"({BLOCKING}: writes may be blocked meanwhile; {COPYING}: the table may be copied)",
    )


def _codes_for(text: str) -> Set[str]:
    """The codes that allow the server to do what it offers."""
    offered = _OFFERED.search(text)
    words = frozenset(offered[1].split("/")) if offered else frozenset[str]()
    if words & {"INPLACE", "NOCOPY"}:
        return {HEAVIER}
    if words & {"SHARED", "EXCLUSIVE"}:
        return {HEAVIER, BLOCKING}
    return {HEAVIER, COPYING} if words else {HEAVIER, BLOCKING, COPYING}


def _alter(statement: str) -> exp.Alter:
    tree = parse_sql(statement)
    assert isinstance(tree, exp.Alter)
    return tree


def _heavier(tree: exp.Alter, mariadb: bool) -> tuple[Way, ...]:
    way = way_in_file(tree)
    return heavier(way, mariadb=mariadb) if way is not None else ()


def _code(way: Way) -> str:
    return _CODE_OF_CLASS[way.ddl_class]
