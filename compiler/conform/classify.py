"""What becomes of a statement on the shards? Pure; raises nothing for any text."""

from __future__ import annotations

import re
from typing import Final

from sqlglot import exp

from shardwright.compiler.conform.facts import ValueNode
from shardwright.compiler.conform.layout import Key, Layout, TableLayout
from shardwright.compiler.conform.queries import Around, QueryReader
from shardwright.compiler.conform.relation import Relation
from shardwright.compiler.conform.verdict import BadStatement, Judgement, Verdict
from shardwright.compiler.conform.writes import judge_change, judge_insert, on_shard, whole_in_database
from shardwright.compiler.workload.digest import parse_statement

_OF_SESSIONS: Final = (exp.Transaction, exp.Commit, exp.Rollback, exp.Set, exp.Use, exp.Show, exp.Describe)
_SESSION_WORDS: Final = re.compile(
    r"\s*(SAVEPOINT|ROLLBACK|RELEASE\s+SAVEPOINT|SET|SHOW|USE|START\s+TRANSACTION|BEGIN|COMMIT|PING|DO\s+1)\b",
    re.IGNORECASE,
)
_DEFINITIONS: Final = (exp.Create, exp.Drop, exp.Alter, exp.TruncateTable)
_SERVERS_OWN: Final = frozenset({"information_schema", "performance_schema", "mysql", "sys"})


def classify(text: str, layout: Layout) -> Judgement:
    """The verdict about one statement."""
    if text.rstrip().endswith("..."):
        return Judgement(Verdict.NOT_UNDERSTOOD, "it ends with `...`: a server has shortened it")
    parsed = parse_statement(text)
    tree = parsed.tree
    if _SESSION_WORDS.match(text) and not (tree is not None and tree.find(exp.Select)):
        return Judgement(Verdict.NO_TABLE, "it is about the session")
    if isinstance(tree, exp.Command):
        return Judgement(Verdict.NOT_UNDERSTOOD, f"nothing is known about {tree.name.upper()}")
    if tree is None:
        return Judgement(Verdict.NOT_UNDERSTOOD, "the statement is not understood")
    try:
        return _judge(tree, layout, replaces=parsed.replaces)
    except BadStatement as broken:
        return broken.judgement
    except RecursionError:
        return Judgement(Verdict.NOT_UNDERSTOOD, "the statement is too deep")


def _judge(tree: exp.Expr, layout: Layout, *, replaces: bool) -> Judgement:
    if isinstance(tree, _OF_SESSIONS):
        return Judgement(Verdict.NO_TABLE, "it is about the session")
    if isinstance(tree, _DEFINITIONS):
        return Judgement(Verdict.NOT_UNDERSTOOD, "it changes definitions: write it as a file of the spec's `ddl`")
    known, unknown = _tables(tree, layout)
    if unknown and not known:
        return Judgement(Verdict.OTHER_TABLE, f"{unknown[0]} is in no spec and stays at the source")
    if unknown:
        reason = f"{unknown[0]} is in no spec and stays at the source, while {known[0].logical} goes to the shards"
        return Judgement(Verdict.CROSS_SHARD_JOIN, reason)
    if isinstance(tree, exp.Insert):
        return judge_insert(tree, layout, replaces=replaces)
    if isinstance(tree, (exp.Update, exp.Delete)):
        return _of_relation(judge_change(tree, layout), known, writes=True)
    if isinstance(tree, exp.Query):
        return _of_relation(QueryReader(layout, tree).read(tree, Around(is_top=True)), known, writes=False)
    return Judgement(Verdict.NOT_UNDERSTOOD, f"{tree.key.upper()} is not understood")


def _tables(tree: exp.Expr, layout: Layout) -> tuple[list[TableLayout], list[str]]:
    """The tables of the spec, and the names of others."""
    named = {one.alias.lower() for one in tree.find_all(exp.CTE)}
    known: list[TableLayout] = []
    unknown: list[str] = []
    targets = {id(one) for one in tree.args.get("tables") or ()}
    for node in tree.find_all(exp.Table):
        if id(node) in targets or node.name.lower() == "dual" or (not node.db and node.name.lower() in named):
            continue
        table = layout.find(node.db, node.name)
        if table is not None:
            known.append(table)
        else:
            unknown.append(node.name)
    return known, unknown


def _of_relation(relation: Relation, known: list[TableLayout], *, writes: bool) -> Judgement:
    if relation.is_everywhere:
        if not relation.tables:
            return Judgement(Verdict.NO_TABLE, "it reads no table")
        return Judgement(Verdict.BROADCAST_READ, f"every shard has all of {' and '.join(sorted(relation.tables))}")
    placed = sorted(relation.places, key=str)
    for group, nodes in placed:
        values = tuple(node for node in nodes if isinstance(node, ValueNode))
        table, key = _find_key(group, known)
        if key is not None and table is not None and len(values) == len(key.columns):
            return on_shard(table.logical, key, values)
        if group.startswith("database "):
            only = next(table for table in known if table.database is not None)
            return whole_in_database(only)
    if relation.problem is not None:
        raise relation.problem
    reason = "the answers of all shards together are the answer"
    if writes:
        reason = "each shard changes its own rows; add the counts up, and note that the shards do not commit together"
    unrouted = next((table.no_route for table in known if table.no_route), "")
    return Judgement(Verdict.SAME_ANSWER, f"{reason} ({unrouted})" if unrouted else reason)


def _find_key(group: str, known: list[TableLayout]) -> tuple[TableLayout | None, Key | None]:
    """The first table that has a routing key of that group."""
    for table in known:
        for key in table.keys:
            if key.group == group and key.routes:
                return table, key
    return None, None
