"""Which newer plan may a begun migration go on with, and by which steps? By compiled plans, without a server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shardwright.compiler.build import build_plan
from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.plan.steps import (
    Steps,
    lookup_tables_that_begin,
    lookup_tables_that_go,
    plan_record,
    steps_to,
    tables_of_ours,
    tables_written_back,
)
from shardwright.specs.spec.read import read_spec

SCHEMA = """
CREATE TABLE `orders` (
  `id` bigint NOT NULL,
  `user_id` int unsigned NOT NULL,
  `code` varchar(20) COLLATE utf8mb4_bin NOT NULL,
  `amt` decimal(10,2) NOT NULL,
  `note` varchar(100) DEFAULT NULL,
  `rev` bigint NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
CREATE TABLE `invoice` (`id` bigint NOT NULL, `user_id` int unsigned NOT NULL, PRIMARY KEY (`id`)) DEFAULT CHARSET=utf8mb4;
CREATE TABLE `line` (`id` bigint NOT NULL, `order_id` bigint NOT NULL, PRIMARY KEY (`id`)) DEFAULT CHARSET=utf8mb4;
"""
SPEC = """
version: 1
migration: orders
source: {dialect: mariadb, databases: [shop], schema: schema.sql, stream: {format: binlog}}
target: {databases: "order_db_{0..1}", tables_suffix: "_{0..1}"}
sharding:
  by_user: {shard_key: [user_id], database: user_id % 2, table: user_id div 2 % 2}
tables:
  - {table: orders, sharding: by_user}
"""
ORDERS = "  - {table: orders, sharding: by_user}"
INVOICE = "  - {table: invoice, sharding: by_user}\n"


def compile_spec(folder: Path, spec: str, schema: str = SCHEMA) -> Plan:
    (folder / "schema.sql").write_text(schema, encoding="utf-8")
    (folder / "spec.yaml").write_text(spec, encoding="utf-8")
    return build_plan(read_spec(str(folder / "spec.yaml")), schema=schema, ddl={}).plan


@pytest.fixture
def steps(tmp_path: Path):  # type: ignore[no-untyped-def]
    def from_to(before: str, after: str, schema: str = SCHEMA) -> Steps:
        return steps_to(plan_record(compile_spec(tmp_path, before)), compile_spec(tmp_path, after, schema))

    return from_to


def test_n05_a_way_back_records_which_tables_it_writes(tmp_path: Path) -> None:
    plan = compile_spec(tmp_path, SPEC)
    assert plan.backward is not None
    assert tables_written_back(plan_record(plan.backward)) == {"shop.orders"}
    assert tables_written_back(plan_record(plan)) == frozenset()


@pytest.mark.parametrize("setting", ["weight: 7", "deletes: {policy: until_snapshot, stop_above: 100}"])
def test_j7_a_setting_that_decides_about_no_row_is_adopted_as_it_is(steps, setting: str) -> None:  # type: ignore[no-untyped-def]
    after = SPEC.replace(ORDERS, f"  - {{table: orders, sharding: by_user, {setting}}}")
    assert steps(SPEC, after) == Steps(mended=("orders",))


def test_j7_only_a_newer_release_may_finish_the_staged_batch_of_an_older_plan(tmp_path: Path) -> None:
    """A fake older release: the same spec, other SQL."""
    plan = compile_spec(tmp_path, SPEC)
    older = plan_record(plan)
    older["tables"]["orders"]["aspects"]["sql"] = "of a release before"
    found = steps_to(older, plan)
    assert found == Steps(mended=("orders",), only_sql=True)
    older["tables"]["orders"]["aspects"]["settings"] = "of another spec"
    assert steps_to(older, plan) == Steps(mended=("orders",))
    del older["tables"]["orders"]
    assert steps_to(older, plan) == Steps(added=("orders",))


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("where: amt > 1", ("filter",)),
        ("deletes: ignore", ("policy for deletes",)),
        ("write: changed", ("way to write updates",)),
        ("version_column: rev", ("version column",)),
        ("columns: {exclude: [note]}", ("columns",)),
        ("columns: {rename: {note: remark}}", ("columns",)),
        ("columns: {mask: {note: redact}}", ("columns",)),
        ("columns: {derive: {short: {expr: 'left(code, 3)', type: varchar(3)}}}", ("columns",)),
    ],
)
def test_j7_a_setting_that_decides_about_rows_needs_a_new_copy(  # type: ignore[no-untyped-def]
    steps, setting: str, words: tuple[str, ...]
) -> None:
    after = SPEC.replace(ORDERS, f"  - {{table: orders, sharding: by_user, {setting}}}")
    assert steps(SPEC, after) == Steps(other_rows={"orders": words})


def test_j7_other_values_of_a_derived_column_need_a_new_copy(steps) -> None:  # type: ignore[no-untyped-def]
    derived = (
        "  - {table: orders, sharding: by_user, columns: {derive: {s: {expr: 'left(code, 3)', type: varchar(3)}}}}"
    )
    assert steps(SPEC.replace(ORDERS, derived), SPEC.replace(ORDERS, derived.replace("3)'", "2)'"))) == Steps(
        other_rows={"orders": ("columns",)}
    )


def test_j7_another_sharding_rule_needs_a_new_copy_of_its_tables(steps) -> None:  # type: ignore[no-untyped-def]
    after = SPEC.replace("user_id % 2,", "(user_id + 1) % 2,")
    assert steps(SPEC + INVOICE, after + INVOICE) == Steps(
        other_rows={"orders": ("sharding rule",), "invoice": ("sharding rule",)}
    )


def test_j7_a_new_table_is_added_and_one_that_is_gone_is_left_out(steps, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    assert steps(SPEC, SPEC + INVOICE) == Steps(added=("invoice",))
    assert steps(SPEC + INVOICE, SPEC) == Steps(left_out=("invoice",))
    recorded = plan_record(compile_spec(tmp_path, SPEC + INVOICE))
    assert tables_of_ours(recorded, "invoice") == ("_sw_stage_invoice", "_sw_gone_invoice")


PARTS = '  - {{table: "orders*", expect: {expect}, to: orders, sharding: by_user}}'
ORDERS_TABLE = SCHEMA[SCHEMA.index("CREATE TABLE `orders`") :].partition(";")[0]


@pytest.mark.parametrize(
    ("before", "more", "found"),
    [
        (["_1", "_2"], ["_3", "_4"], {"more_sources": {"orders": ("shop.orders_3", "shop.orders_4")}}),
        (["_1", "_3"], ["_2"], {"other_rows": {"orders": ("source tables",)}}),
        (["_1"], ["_2"], {"other_rows": {"orders": ("source tables",)}}),
    ],
)
def test_j7_source_tables_that_come_behind_the_others_are_copied_alone(
    tmp_path: Path, before: list[str], more: list[str], found: dict[str, Any]
) -> None:
    def parts(names: list[str]) -> Plan:
        tables = [ORDERS_TABLE.replace("`orders`", f"`orders{name}`", 1) + ";" for name in names]
        spec = SPEC.replace(ORDERS, PARTS.format(expect=len(names)))
        return compile_spec(tmp_path, spec, "\n".join(tables))

    assert steps_to(plan_record(parts(before)), parts([*before, *more])) == Steps(**found)
    gone = Steps(other_rows={"orders": ("source tables",)})
    assert steps_to(plan_record(parts([*before, *more])), parts(before)) == gone, "none goes by itself"


def test_j7_a_family_gets_source_tables_that_come_behind_the_others(tmp_path: Path) -> None:
    line = SCHEMA[SCHEMA.index("CREATE TABLE `line`") :]
    child = "  - {table: line, sharding: {rule: by_user, shard_key: {parent: orders, via: [order_id]}}}\n"

    def parts(names: list[str]) -> Plan:
        tables = [ORDERS_TABLE.replace("`orders`", f"`orders{name}`", 1) + ";" for name in names]
        spec = SPEC.replace(ORDERS, PARTS.format(expect=len(names))) + child
        return compile_spec(tmp_path, spec, "\n".join([*tables, line]))

    both = plan_record(parts(["_1", "_2"]))
    assert steps_to(both, parts(["_1", "_2", "_3"])) == Steps(more_sources={"orders": ("shop.orders_3",)})
    for names in (["_0", "_1", "_2"], ["_1", "_2a"]):
        assert "table orders has other source tables" in steps_to(both, parts(names)).impossible[0]
    assert "by another rule" in steps_to(both, parts(["_1"])).impossible[0], "no row says which source it is from"


def test_j7_another_column_in_the_schema_file_alone_needs_a_new_copy(steps) -> None:  # type: ignore[no-untyped-def]
    schema = SCHEMA.replace("`note` varchar(100)", "`note` varchar(200)")
    assert steps(SPEC, SPEC, schema) == Steps(other_rows={"orders": ("columns of the source", "columns")})


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("order_db_{0..1}", "order_db_{0..3}", "the target databases are others"),
        ('tables_suffix: "_{0..1}"', 'tables_suffix: "_{0..3}"', "table orders has other physical tables"),
        ("dialect: mariadb", "dialect: mysql", "the source is another kind of server"),
        ("sharding: by_user}", "sharding: broadcast}", "table orders has other physical tables"),
    ],
)
def test_j7_nothing_leads_to_other_physical_tables(steps, old: str, new: str, words: str) -> None:  # type: ignore[no-untyped-def]
    assert words in steps(SPEC, SPEC.replace(old, new)).impossible


MEMO_TABLE = """CREATE TABLE `memo` (`id` int unsigned NOT NULL, `order_id` bigint NOT NULL, `line_id` bigint NOT NULL,
PRIMARY KEY (`id`), KEY (`order_id`), KEY (`line_id`)) DEFAULT CHARSET=utf8mb4;
"""
LINE = "  - {table: line, sharding: {rule: by_user, shard_key: {parent: orders, via: [order_id]}}}\n"
MEMO = LINE.replace("table: line", "table: memo")


def test_j7_children_come_and_go_and_get_other_parents(tmp_path: Path) -> None:
    def between(before: str, after: str) -> Steps:
        plans = [compile_spec(tmp_path, SPEC + children, SCHEMA + MEMO_TABLE) for children in (before, after)]
        return steps_to(plan_record(plans[0]), plans[1])

    below = MEMO.replace("parent: orders, via: [order_id]", "parent: line, via: [line_id]")
    other = LINE.replace("[order_id]", "[id]")
    alone = "  - {table: memo, sharding: {rule: by_user, shard_key: [id]}}\n"
    again = {"memo": ("sharding rule", "parent")}
    assert between(LINE, LINE + MEMO) == Steps(added=("memo",))
    assert between(LINE, "") == Steps(left_out=("line",))
    assert between("", LINE) == Steps(added=("line",), new_parents=("orders",))
    assert between(LINE, LINE + below) == Steps(added=("memo",), new_parents=("line",))
    assert between("", LINE + below) == Steps(added=("line", "memo"), new_parents=("line", "orders"))
    assert between(LINE, other) == Steps(other_rows={"line": ("parent",)})
    assert between(LINE + alone, LINE + below) == Steps(other_rows=again, new_parents=("line",))
    found = between(LINE + below, LINE + alone)
    assert found.other_rows == again and not found.impossible
    assert "by another rule" in between(LINE + below, other + below).impossible[0], "rows are placed through it"


def test_j7_lookup_tables_begin_and_go_with_children(tmp_path: Path) -> None:
    plans = [compile_spec(tmp_path, SPEC + children, SCHEMA + MEMO_TABLE) for children in (LINE + MEMO, LINE, "")]
    both, one, none = plans
    assert lookup_tables_that_go(plan_record(both), one) == ("_sw_left_memo", "_sw_stage_sw_left_memo")
    assert lookup_tables_that_begin(plan_record(one), both) == ("_sw_left_memo", "_sw_stage_sw_left_memo")
    assert lookup_tables_that_begin(plan_record(both), one) == ()
    assert {"_sw_left_line", "_sw_place_orders"} < set(lookup_tables_that_go(plan_record(one), none))


def test_j7_nothing_leads_to_other_families_and_new_tables_of_queues(steps) -> None:  # type: ignore[no-untyped-def]
    rule = "database: user_id % 2, table: user_id div 2 % 2"
    other = SPEC.replace(rule, "database: user_id div 2 % 2, table: user_id % 2")
    assert "by another rule" in steps(SPEC + LINE, other + LINE).impossible[0]
    queue = SPEC.replace("format: binlog", "format: canal-json")
    assert "invoice is new, and its changes come from a queue" in steps(queue, queue + INVOICE).impossible[0]
