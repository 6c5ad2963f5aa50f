"""Which indexes are built after the copy, what the plan says of them, and which DDL waits for them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import sqlglot
from sqlglot import exp

from shardwright.compiler.ddl.target.keys import DeferredIndexes, defer_indexes
from shardwright.compiler.plan.files import plan_files, read_plan, write_plan
from shardwright.compiler.plan.plan import BARE, INDEXES, DdlChange, Plan, StepName, with_suffix
from shardwright.compiler.sql.sql_text import to_sql
from shardwright.runtime.ddl.tables.deferred_indexes import find_lacking_on, forms_of, refuse_before_indexes
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.ddl_record import CREATED, ChangeRecord, Place, sha256
from tests.compiler.projects import compile_folder, write_texts

SPEC = """
version: 1
migration: shop
source: {dialect: mariadb, databases: [shop], schema: schema.sql, stream: {format: binlog}}
target: {databases: "db_{0..1}", tables_suffix: "_{0..1}"}
sharding:
  by_user: {shard_key: [user_id], algorithm: crc32_mod}
tables:
  - table: orders
    sharding: by_user
    defer_indexes: DEFER
  - table: region
    sharding: broadcast
    defer_indexes: true
"""
SCHEMA = """
CREATE TABLE orders (
  id bigint NOT NULL, user_id bigint NOT NULL, status varchar(20) COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (id), UNIQUE KEY status (status, user_id), KEY by_status (status), KEY by_user (user_id, status(5) DESC)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE TABLE region (code int NOT NULL PRIMARY KEY) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
"""


def _defer(*elements: str, engine: str = "InnoDB", via: tuple[str, ...] = ()) -> DeferredIndexes | None:
    columns = "id bigint NOT NULL, a int, b varchar(20), g int AS (a + 1) VIRTUAL"
    text = f"CREATE TABLE `t${{suffix}}` ({', '.join([columns, 'PRIMARY KEY (id)', *elements])}) ENGINE={engine}"
    create = sqlglot.parse_one(text, dialect="mysql")
    assert isinstance(create, exp.Create)
    return defer_indexes(create, logical="t", via=via)


def _names(*elements: str, engine: str = "InnoDB", via: tuple[str, ...] = ()) -> tuple[str, ...]:
    found = _defer(*elements, engine=engine, via=via)
    return () if found is None else found.names


def test_indexes_are_left_out_and_added_as_they_are() -> None:
    found = _defer("KEY one (a, b(5) DESC) COMMENT 'x'", "UNIQUE KEY u (b)", "INDEX two (b)", "CHECK (a > 0)")
    assert found is not None
    bare, add = (" ".join(to_sql(node, "mysql").split()) for node in (found.bare, found.add))
    assert not any(f"INDEX `{name}`" in bare for name in found.names)
    assert all(kept in bare for kept in ("PRIMARY KEY (`id`)", "UNIQUE `u`", "CHECK (`a` > 0)"))
    assert add == (
        "ALTER TABLE `t${suffix}` ADD INDEX `one` (`a`, `b`(5) DESC) COMMENT 'x', ADD INDEX `two` (`b`), ALGORITHM=INPLACE, "
        "LOCK=NONE"
    )


@pytest.mark.parametrize(
    "stays",
    [
        "UNIQUE KEY k (a)",
        "FULLTEXT KEY k (b)",
        "SPATIAL KEY k (b)",
        "KEY k (g)",
        "KEY k (a, g)",
        "KEY k ((a + 1))",
        "KEY (a)",
        "CONSTRAINT k CHECK (a > 0)",
    ],
)
def test_what_servers_cannot_build_beside_writers_stays(stays: str) -> None:
    assert _names(stays) == ()
    assert _names(stays, "KEY other (b)") == ("other",)


def test_names_that_the_server_may_give_are_not_deferred() -> None:
    assert _names("KEY (a)", "KEY a (b)", "KEY A_2 (b)", "KEY a_b (b)", "KEY ab (b)") == ("a_b", "ab")
    assert _names("c int UNIQUE", "UNIQUE (b)", "KEY c_3 (b)", "KEY b (a)", "KEY d (a)") == ("d",)


def test_engines_that_lock_tables_have_all_indexes_at_once() -> None:
    assert _names("KEY k (a)", engine="MyISAM") == ()
    assert _names("KEY k (a)", engine="innodb") == ("k",)


def test_children_are_found_by_their_parents_key_all_the_time() -> None:
    assert _names("KEY k (a, b)", "KEY l (b, a)", via=("A",)) == ("l",)


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    return _plan(tmp_path, "true")


def _plan(folder: Path, defer: str) -> Plan:
    return compile_folder(write_texts(folder, SPEC.replace("DEFER", defer), SCHEMA)).plan


def test_the_plan_says_it_and_means_the_same_rows(plan: Plan, tmp_path: Path) -> None:
    without = _plan(tmp_path, "false")
    assert plan.deferred_indexes == {"orders": ("by_status", "by_user")}, "region has nothing to defer"
    assert plan.fingerprint == without.fingerprint
    assert "deferred_indexes" not in plan_files(without)["manifest.json"]
    step, plain = (item.step("orders", StepName.CREATE_TABLE) for item in (plan, without))
    assert (step.statement("create"), step.statements[0].name) == (plain.statement("create"), "create")
    assert not plain.has(BARE) and not plain.has(INDEXES)
    assert not plan.step("region", StepName.CREATE_TABLE).has(BARE)
    assert "* indexes that are built after the copy: by_status, by_user" in plan_files(plan)["summary.md"]
    assert write_plan(plan, tmp_path / "plan")
    assert read_plan(tmp_path / "plan") == plan


def _record(plan: Plan, **forms: str) -> dict[Place, ChangeRecord]:
    """What one shard's record says: by the table's suffix, `whole`, `bare` or `begun`."""
    found = forms_of(plan, plan.table("orders"))
    return {
        (CREATED, 0, f"orders{suffix}"): ChangeRecord(
            sha256(with_suffix(found.bare if form == "bare" else found.whole, suffix)),
            "started" if form == "begun" else "done",
        )
        for suffix, form in forms.items()
    }


def test_tables_lack_indexes_until_the_record_says_otherwise(plan: Plan, tmp_path: Path) -> None:
    def lacking(**forms: str) -> list[str]:
        return [item.name for item in find_lacking_on(plan, 1, _record(plan, **forms))]

    assert lacking(_0="bare", _1="bare") == ["orders_0", "orders_1"]
    assert lacking(_0="whole", _1="bare") == ["orders_1"]
    assert lacking(_0="begun", _1="whole") == ["orders_0"]
    assert lacking(_0="whole", _1="whole") == []
    assert lacking() == [], "nothing was made yet"
    (item,) = find_lacking_on(plan, 1, _record(plan, _1="bare"))
    assert (item.shard, item.names, item.suffix) == (1, ("by_status", "by_user"), "_1")
    assert "ALTER TABLE `orders_1`" in item.add
    assert _record(plan, _1="whole")[(CREATED, 0, "orders_1")].sha256 == item.digest
    assert not list(find_lacking_on(_plan(tmp_path, "false"), 1, _record(plan, _0="bare")))


@pytest.mark.parametrize(
    "statement",
    [
        "DROP INDEX by_user",
        "ADD INDEX by_user (status)",
        "ADD COLUMN note int, DROP INDEX by_status",
        "RENAME INDEX by_user TO mine",
        "DROP COLUMN status",
        "MODIFY COLUMN status varchar(30)",
        "ADD COLUMN by_user int UNIQUE",
    ],
)
def test_a_change_that_may_meet_a_missing_index_waits(plan: Plan, statement: str) -> None:
    changing = _with_change(plan, statement)
    lacking, built = _record(plan, _0="whole", _1="bare"), _record(plan, _0="whole", _1="whole")
    with pytest.raises(Refused, match=r"SW8413: db_1.orders_1 still lacks by_status, by_user") as refused:
        refuse_before_indexes(changing, {"db_0": built, "db_1": lacking})
    assert "statement 1 of 0001_x.sql" in refused.value.message
    refuse_before_indexes(changing, {"db_0": built, "db_1": built})
    done: Place = ("0001_x.sql", 1, "orders_1")
    refuse_before_indexes(changing, {"db_0": built, "db_1": {**lacking, done: ChangeRecord("", "done")}})


@pytest.mark.parametrize(
    "statement", ["ADD COLUMN note int", "ADD INDEX another (status)", "ADD COLUMN n int, ADD UNIQUE u (n)"]
)
def test_columns_and_keys_of_other_names_are_added_at_once(plan: Plan, statement: str) -> None:
    refuse_before_indexes(_with_change(plan, statement), {"db_1": _record(plan, _0="bare", _1="bare")})


def _with_change(plan: Plan, statement: str) -> Plan:
    change = DdlChange("0001_x.sql", 1, "orders", f"ALTER TABLE `orders${{suffix}}` {statement}", destructive=False)
    return replace(plan, ddl=(change,))
