"""Templates print from layouts what sqlglot prints from the tree: the same text, whatever the widths of the
fillings."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import sqlglot
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp

from shardwright.compiler.plan.plan import SqlDialect
from shardwright.compiler.project.read_again import read_again
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.printer import OPTIONS, finish, raw_text, share
from shardwright.compiler.sql.template import Filling, expand, fill
from tests.bench.compile.project import write_project
from tests.compiler.projects import PROJECTS, compile_folder, write_texts
from tests.compiler.test_hostile_names import KEY

NAMES = st.text("ab` é'$\\", min_size=1, max_size=40)
COLUMNS = st.builds(lambda name: sql.column(name, "t"), NAMES)
TEXTS = st.builds(sql.text, st.text("ab'\\\n %", max_size=30))
WIDE = st.builds(
    lambda items: fill("some(hole_items, 'N')", "mysql", items=items), st.lists(COLUMNS, min_size=1, max_size=6)
)
CASES = st.builds(lambda a, b: fill("CASE WHEN hole_a > 1 THEN hole_b ELSE 'x' END", "mysql", a=a, b=b), COLUMNS, TEXTS)
NODES = st.one_of(COLUMNS, TEXTS, WIDE, CASES)
LISTS = st.lists(NODES, min_size=1, max_size=12)
CONDITIONS = st.lists(st.builds(sql.equal, NODES, NODES), min_size=1, max_size=6)
CHAINS = st.one_of(CONDITIONS.map(sql.all_of), CONDITIONS.map(sql.any_of), st.just(exp.true()))
TABLES = st.builds(sql.table, NAMES, database=st.none() | NAMES, alias=st.none() | NAMES)
COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NullSafeEQ)
TYPES = (
    "INT",
    "BIGINT",
    "DECIMAL(20, 0)",
    "CHAR",
    "VARCHAR(3)",
    "BINARY",
    "DATE",
    "DATETIME(6)",
    "DOUBLE",
    "FLOAT",
    "JSON",
)
SIMPLE = st.recursive(
    st.one_of(COLUMNS, TEXTS, st.builds(sql.number, st.integers()), st.builds(sql.column, NAMES)),
    lambda inner: st.one_of(
        st.builds(lambda value, kind: sql.cast(value, kind, "mysql").copy(), inner, st.sampled_from(TYPES)),
        st.builds(lambda value, index: exp.Bracket(this=value, expressions=[index]), COLUMNS, inner),
        st.builds(lambda value: exp.Hex(this=value), inner),
    ),
    max_leaves=4,
)


def print_expanded(node: exp.Expr, dialect: SqlDialect) -> str:
    return expand(node).sql(dialect=dialect, **OPTIONS)


@pytest.mark.parametrize(
    "template",
    [
        "SELECT hole_items, hole_node FROM hole_table AS t WHERE hole_chain",
        "SELECT 1 FROM hole_table AS t JOIN x ON hole_chain WHERE x.a = 1 AND hole_chain AND NOT (hole_other) AND hole_node > 2",
        "INSERT INTO hole_table SELECT f(hole_items) FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.c = d AND hole_chain)",
        "SELECT CONCAT_WS(',', IF(hole_node IS NULL, 0, g(hole_items)), hole_other) FROM hole_table ORDER BY hole_items LIMIT 1",
        "SELECT (SELECT 1 FROM hole_table WHERE a IN (hole_items)) OR hole_chain, CASE WHEN hole_chain THEN hole_node END",
        "UPDATE hole_table AS t SET a = hole_node WHERE a = 1 OR hole_chain",
    ],
)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_same_as_the_tree(template: str, data: st.DataObject) -> None:
    strategies: dict[str, st.SearchStrategy[Filling]] = {
        "items": LISTS, "node": NODES, "chain": CHAINS, "other": CHAINS, "table": TABLES
    }  # fmt: skip
    holes = {name: data.draw(kind) for name, kind in strategies.items() if f"hole_{name}" in template}
    filled = fill(template, "mysql", **holes)
    assert sql.to_sql(filled, "mysql") == print_expanded(filled, "mysql")


@pytest.mark.parametrize("count", [1, 2, 40])
def test_structs(count: int) -> None:
    image = [sql.alias(exp.Bracket(this=sql.column("b"), expressions=[sql.number(i)]), f"c{i}") for i in range(count)]
    filled = fill(
        "WITH a AS (SELECT IF(b IS NULL, NULL, STRUCT(hole_image)) AS b FROM c) SELECT * FROM a", "spark", image=image
    )
    assert sql.to_sql(filled, "spark") == print_expanded(filled, "spark")
    sql.check_sql(sql.to_sql(filled, "spark"), "spark")


CONDITIONS_OF_ALL_KINDS = st.recursive(
    st.builds(
        lambda kind, left, right: kind(this=left, expression=right), st.sampled_from(COMPARISONS), SIMPLE, SIMPLE
    ),
    lambda inner: st.one_of(
        inner.map(sql.paren),
        inner.map(exp.not_),
        st.lists(inner, min_size=1, max_size=4).map(sql.all_of),
        st.lists(inner, min_size=1, max_size=4).map(sql.any_of),
    ),
    max_leaves=12,
)


@pytest.mark.parametrize("dialect", ["mysql", "spark"])
@settings(max_examples=200, deadline=None)
@given(condition=CONDITIONS_OF_ALL_KINDS, values=st.lists(SIMPLE, min_size=1, max_size=8), table=TABLES)
def test_simple_nodes_are_printed_as_sqlglot_does(
    dialect: SqlDialect, condition: exp.Expr, values: list[exp.Expr], table: exp.Expr
) -> None:
    """Within a tree, and as the first node that is printed; once and again, when they are shared."""
    named = [sql.alias(value, f"n{index}") for index, value in enumerate(values)]
    query = exp.select(*named).from_(table).where(condition)
    for node in (query, condition, *named, share(condition), share(named[0])):
        plain = node.copy().sql(dialect=dialect, **OPTIONS)
        assert raw_text(node, dialect) == raw_text(node, dialect)
        assert finish(raw_text(node, dialect)) == sql.to_sql(node, dialect) == plain


def test_a_copy_of_a_shared_node_has_a_text_of_its_own() -> None:
    node = share(sql.alias(sql.column("a", "t"), "x"))
    assert raw_text(node, "mysql") == "`t`.`a` AS `x`"
    copy = node.copy()
    copy.this.this.set("this", "b")
    assert raw_text(copy, "mysql") == "`t`.`b` AS `x`"
    assert raw_text(node, "mysql") == "`t`.`a` AS `x`"


def test_operators_see_what_they_hold() -> None:
    """AND around OR gets its parentheses though the OR comes from a template."""
    either = fill("a = hole_x OR b = 2", "mysql", x=sql.number(1))
    assert sql.to_sql(sql.all_of([either, sql.column("c")]), "mysql") == "(\n  `a` = 1 OR `b` = 2\n) AND `c`"


def test_holes_and_fillings_must_match() -> None:
    with pytest.raises(KeyError):
        fill("SELECT hole_a", "mysql", b=sql.number(1))


@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.name)
def test_plans_read_back(project: Path) -> None:
    assert read_again(compile_folder(project).plan)


def test_a_large_plan_reads_back(tmp_path: Path) -> None:
    write_project(tmp_path, tables=12)
    text = (tmp_path / "specs" / "large.yaml").read_text("utf-8").replace("schema/shop.sql", "schema.sql")
    plan = compile_folder(write_texts(tmp_path, text, (tmp_path / "schema" / "shop.sql").read_text("utf-8"))).plan
    assert read_again(plan) > 12 * 25


def test_what_reads_as_something_else_is_found() -> None:
    with pytest.raises(ValueError, match="SW9001"):
        sql.check_sql("SELECT a  FROM `b`", "mysql")


def test_reading_back_leaves_the_recursion_limit_alone() -> None:
    before = sys.getrecursionlimit()
    nested = "SELECT " + "(" * 80 + "1" + ")" * 80
    with pytest.raises(RecursionError):
        sqlglot.parse_one(nested, dialect="mysql")
    with pytest.raises(ValueError, match="SW9001"):
        sql.check_sql(nested, "mysql")
    assert sys.getrecursionlimit() == before


def test_hostile_names_read_back(tmp_path: Path) -> None:
    from tests.compiler.hostile_names import COLUMNS as hostile
    from tests.compiler.hostile_names import schema, spec

    assert read_again(compile_folder(write_texts(tmp_path, spec(("all",), KEY), schema("all", KEY, hostile))).plan)
