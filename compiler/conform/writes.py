"""Where do the rows belong that an INSERT, UPDATE or DELETE writes? Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from sqlglot import exp

from shardwright.compiler.conform.block import Block
from shardwright.compiler.conform.conditions import equalities
from shardwright.compiler.conform.facts import Facts, ValueNode
from shardwright.compiler.conform.functions import check_function
from shardwright.compiler.conform.layout import Key, Layout, TableLayout
from shardwright.compiler.conform.queries import Around, QueryReader
from shardwright.compiler.conform.relation import Relation, Scope
from shardwright.compiler.conform.verdict import BadStatement, Judgement, Verdict, not_understood, other_answer
from shardwright.compiler.conform.walk import subquery_of
from shardwright.compiler.workload.placeholders import ROW


def judge_insert(tree: exp.Insert, layout: Layout, *, replaces: bool) -> Judgement:
    """Raises BadStatement for every bad verdict."""
    named = tree.this.this if isinstance(tree.this, exp.Schema) else tree.this
    table = layout.find(named.db, named.name)
    assert table is not None
    _refuse_broadcast(table)
    names = (
        tuple(one.name.lower() for one in tree.this.expressions) if isinstance(tree.this, exp.Schema) else table.order
    )
    columns = tuple(_column(table, name) for name in names)
    if tree.args.get("with_") or tree.args.get("partition"):
        raise not_understood("WITH or PARTITION in an INSERT")
    _check_returned(tree, table)
    _check_conflict(tree, table)
    if table.counted is not None and _is_left_to_server(tree.expression, columns, table.counted):
        raise other_answer(f"{table.logical}.{table.counted} is AUTO_INCREMENT, and the shards do not number rows")
    reader = QueryReader(layout, tree)
    if isinstance(tree.expression, exp.Values):
        judged = _judge_rows(tree.expression, columns, table, reader)
    elif isinstance(tree.expression, exp.Query):
        judged = _judge_selected(reader.read(tree.expression, Around()), columns, table)
    else:
        raise not_understood("an INSERT without VALUES or a query")
    for loose in table.loose_keys if table.is_sharded else ():
        raise other_answer(
            f"{'the row that REPLACE deletes' if replaces else 'a row that conflicts'} may be on another shard: each "
            f"checks {loose.name} ({loose.words}) of {table.logical} by itself"
        )
    return judged


def _check_returned(tree: exp.Insert, table: TableLayout) -> None:
    """RETURNING of plain columns is answered by the shard of the row."""
    returning = tree.args.get("returning")
    for one in returning.expressions if returning is not None else ():
        if not isinstance(one.unalias(), exp.Column) or isinstance(one.unalias().this, exp.Star):
            raise not_understood("an expression in RETURNING")
        _column(table, one.unalias().name)


def _refuse_broadcast(table: TableLayout) -> None:
    if table.is_broadcast:
        raise BadStatement(
            Verdict.WRITES_BROADCAST,
            f"every shard has a copy of {table.logical}: write it to the first and copy the row to the others",
        )


def _column(table: TableLayout, name: str) -> str:
    found = table.columns.get(name.lower())
    if found is None:
        raise not_understood(f"{table.logical} has no column {name}")
    if found.fault:
        raise other_answer(found.fault)
    return found.name


def _place_keys(table: TableLayout) -> tuple[Key, ...]:
    """The key by which a new row's shard is known: its own, or that of its parent's row."""
    own = tuple(key for key in table.keys if key.routes)
    return own or tuple(key for key in table.keys if not key.group.startswith(f"row of {table.logical} by"))


def _judge_rows(values: exp.Values, columns: tuple[str, ...], table: TableLayout, reader: QueryReader) -> Judgement:
    for node in values.walk():
        if subquery_of(node) is not None:
            raise not_understood("a query among the values of an INSERT")
        if not isinstance(node, exp.Values):
            check_function(node)
    if table.database is not None:
        return whole_in_database(table)
    keys = _place_keys(table)
    if not keys:
        raise not_understood(table.no_route or f"nothing says where rows of {table.logical} belong")
    rows = {tuple(_values_of(row, columns, keys[0], table, reader)) for row in values.expressions}
    labels = {tuple(value.label for value in row) for row in rows}
    if len(labels) > 1:
        shown = ", ".join(keys[0].columns)
        raise BadStatement(
            Verdict.CROSS_SHARD_TRANSACTION,
            f"the rows may have several values of {shown}, and so belong to several shards: insert them shard by shard",
        )
    return on_shard(table.logical, keys[0], next(iter(rows)))


_MISSING: Final = ValueNode("null", "NULL", True)
"""No value: the rule gives such rows a place, too, or the spec does not compile."""


def _values_of(
    row: exp.Expr, columns: tuple[str, ...], key: Key, table: TableLayout, reader: QueryReader
) -> Iterator[ValueNode]:
    given = row.expressions if isinstance(row, exp.Tuple) else [row]
    if len(given) == 1 and isinstance(given[0], exp.Placeholder) and given[0].name == ROW:
        for name in key.columns:
            if name not in columns:
                raise not_understood(f"the row has no value for {table.logical}.{name}, by which it is placed")
            yield ValueNode(f"row {id(row)} {name}", f"the row's {name}", False)
        return
    if len(given) != len(columns):
        raise not_understood(f"{len(given)} values for {len(columns)} columns")
    for name in key.columns:
        kind = table.columns[name].kind
        value = None
        if name in columns and kind is not None:
            written = given[columns.index(name)]
            is_missing = isinstance(written, exp.Null) and table.columns[name].nullable
            value = _MISSING if is_missing else reader.values.value_of(written, kind)
        if value is None:
            raise not_understood(
                f"{table.logical}.{name}, by which the row is placed, is neither a parameter nor a value"
            )
        yield value


def _is_left_to_server(source: exp.Expr, columns: tuple[str, ...], counted: str) -> bool:
    if counted not in columns:
        return True
    place = columns.index(counted)
    if not isinstance(source, exp.Values):
        return False
    for row in source.expressions:
        given = row.expressions if isinstance(row, exp.Tuple) else [row]
        if place < len(given) and given[place].sql(dialect="mysql").upper() in ("NULL", "DEFAULT", "0"):
            return True
    return False


def _check_conflict(tree: exp.Insert, table: TableLayout) -> None:
    conflict = tree.args.get("conflict")
    for part in conflict.expressions if conflict is not None else ():
        if subquery_of(part.expression) is not None or any(subquery_of(node) for node in part.expression.walk()):
            raise not_understood("a query in ON DUPLICATE KEY UPDATE")
        name = _column(table, part.this.name)
        for node in part.expression.walk():
            if not (isinstance(node, exp.Anonymous) and node.name.upper() == "VALUES"):
                check_function(node)
        if name in table.place_columns and not _gives_itself(part.expression, name):
            raise _moves(table, name)


def _gives_itself(value: exp.Expr, name: str) -> bool:
    names = [node.name.lower() for node in value.find_all(exp.Column, exp.Identifier)]
    plain = isinstance(value, (exp.Column, exp.Anonymous)) or type(value).__name__ == "Values"
    return plain and set(names) == {name}


def _moves(table: TableLayout, name: str) -> BadStatement:
    return BadStatement(
        Verdict.UPDATES_SHARD_KEY,
        f"{table.logical}.{name} decides where the row is: insert the row on its new shard, then delete the old one",
    )


def _judge_selected(source: Relation, columns: tuple[str, ...], table: TableLayout) -> Judgement:
    if table.database is not None:
        if any(place == f"database {table.database}" for place, _ in source.places) or source.is_everywhere:
            return whole_in_database(table)
        raise source.problem or BadStatement(Verdict.CROSS_SHARD_JOIN, f"{table.logical} is in one database only")
    if source.problem is not None and not source.places:
        raise source.problem
    for key in _place_keys(table):
        if all(name in columns for name in key.columns):
            places = [columns.index(name) for name in key.columns]
            given = tuple(source.order[place] for place in places if place < len(source.order))
            if any(one.group == key.group and one.columns == given for one in source.keys):
                for group, nodes in sorted(source.places, key=str):
                    values = tuple(node for node in nodes if isinstance(node, ValueNode))
                    if group == key.group and len(values) == len(key.columns):
                        return on_shard(table.logical, key, values)
                return Judgement(
                    Verdict.SAME_ANSWER, "each shard inserts what it reads; the shards do not commit together"
                )
    raise BadStatement(
        Verdict.CROSS_SHARD_TRANSACTION,
        f"rows for {table.logical} may belong to another shard than the one that they are read from",
    )


def judge_change(tree: exp.Update | exp.Delete, layout: Layout) -> Relation:
    """What an UPDATE or DELETE changes, as rows. Raises BadStatement."""
    if tree.args.get("with_") or tree.args.get("using") or tree.args.get("returning") or tree.args.get("from_"):
        raise not_understood("WITH, USING or RETURNING in a statement that writes")
    reader = QueryReader(layout, tree)
    scope, stated = reader.read_tables(tree.this, [], Scope(), Around())
    facts = Facts(stated)
    if tree.args.get("where") is not None:
        facts = facts.extend(equalities(tree.args["where"].this, scope, reader.values))
    for table in _tables_written(tree, scope, layout):
        _refuse_broadcast(table)
    subs = reader.subqueries(tree, scope, facts)
    block = Block(tree, scope, facts, subs)
    problem = block.problem()
    if problem is None and (tree.args.get("limit") or tree.args.get("order")):
        problem = other_answer("LIMIT and ORDER BY choose rows of each shard by itself")
    made = Relation("the statement", {}, (), places=block.places(), problem=problem)
    return replace(made, is_everywhere=False)


def _tables_written(tree: exp.Update | exp.Delete, scope: Scope, layout: Layout) -> Iterator[TableLayout]:
    """The tables that are changed. Raises BadStatement where a change moves rows, or where no shard can check it."""
    by_alias = {one.alias or one.name: one for one in tree.find_all(exp.Table)}

    def layout_of(alias: str) -> TableLayout:
        node = by_alias[alias]
        found = layout.find(node.db, node.name)
        assert found is not None
        return found

    if isinstance(tree, exp.Delete):
        names = [one.name for one in tree.args.get("tables") or ()] or [scope.items[0].alias]
        for name in names:
            items = scope.items_called(name)
            if not items or items[0].alias not in by_alias:
                raise not_understood(f"DELETE from {name}")
            yield layout_of(items[0].alias)
        return
    for part in tree.expressions:
        if not isinstance(part, exp.EQ) or not isinstance(part.this, exp.Column):
            raise not_understood("a part of SET")
        found = scope.find(part.this.table, part.this.name)
        if found is None or found[0].alias not in by_alias:
            raise not_understood(f"column {part.this.name} is in none of the tables")
        table, name = layout_of(found[0].alias), found[1].name
        yield table
        if found[1].fault:
            raise other_answer(found[1].fault)
        if table.is_sharded and name in table.place_columns and not _gives_itself(part.expression, name):
            raise _moves(table, name)
        if table.is_sharded and name in table.loose_columns:
            raise other_answer(f"each shard checks by itself whether {table.logical}.{name} is unique")


def on_shard(logical: str, key: Key, values: tuple[ValueNode, ...]) -> Judgement:
    """The verdict about what one key places."""
    keys = tuple((f"{logical}.{name}", value.shown) for name, value in zip(key.columns, values, strict=True))
    shown = " and ".join(f"{name} = {value}" for name, value in keys)
    if not key.routes:
        shown = f"the shard of the row that {shown} names"
    known = all(value.is_known for value in values)
    route = (key.group, tuple(value.label for value in values)) if known else None
    return Judgement(Verdict.ONE_SHARD, shown, keys, route)


def whole_in_database(table: TableLayout) -> Judgement:
    return Judgement(Verdict.ONE_SHARD, f"{table.logical} is whole in one database")
