"""What a TRUNCATE of the source means for the targets, by the spec (hazard E17)."""

from __future__ import annotations

from pathlib import Path

import pytest

from shardwright.compiler.ddl.logged.read_logged import read_logged
from shardwright.compiler.ddl.source.logged_change import Truncation
from tests.unit.ddl.test_read_logged import SCHEMA, SPEC, compile_spec

TABLE = "  - table: orders\n    sharding: by_user\n"
LINE = "CREATE TABLE `line` (`id` bigint NOT NULL, `order_id` bigint NOT NULL, `v` int, PRIMARY KEY (`id`));"


def of(folder: Path, *, table: str = "", more: str = "", statement: str = "TRUNCATE orders") -> Truncation:
    spec = SPEC.replace(TABLE, TABLE + "".join(f"    {line}\n" for line in table.splitlines())) + more
    plan = compile_spec(folder, spec=spec, schema=SCHEMA + LINE)
    change = read_logged(statement, "shop", plan)
    assert change.emptied is not None and not change.columns_differ
    return change.emptied


def test_e17_rows_go_some_at_a_time_in_the_order_of_their_key(tmp_path: Path) -> None:
    found = of(tmp_path)
    assert not found.objection
    assert " ".join(found.delete.split()) == "DELETE FROM `orders${suffix}` ORDER BY `id` LIMIT 10000"


def test_e17_a_table_whose_deletes_are_ignored_keeps_its_rows(tmp_path: Path) -> None:
    assert of(tmp_path, table="deletes: ignore") == Truncation()


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ("version_column: id", "it has the version column id, so newer rows that others wrote"),
        ("write: changed", "it is written with `write: changed`"),
        ("existing_rows: keep", "`existing_rows: keep` holds rows that the source does not have"),
    ],
)
def test_e17_rows_that_may_be_others_stay(tmp_path: Path, table: str, why: str) -> None:
    assert of(tmp_path, table=table).objection.startswith(why)


@pytest.mark.parametrize("policy", ["", "deletes: ignore"])
def test_e17_parents_stay_and_rows_of_a_child_go(tmp_path: Path, policy: str) -> None:
    child = "  - {table: line, sharding: {rule: by_user, shard_key: {parent: orders, via: [order_id]}}}\n"
    assert "rows of line are placed through" in of(tmp_path, table=policy, more=child).objection
    found = of(tmp_path, table=policy, more=child, statement="TRUNCATE TABLE line")
    assert not found.objection
    assert " ".join(found.delete.split()) == "DELETE FROM `line${suffix}` ORDER BY `id` LIMIT 10000"


def test_e17_rows_of_the_other_source_tables_stay(tmp_path: Path) -> None:
    spec = SPEC.replace("databases: [shop]", "databases: [shop, shop_2]")
    plan = compile_spec(tmp_path, spec=spec)
    change = read_logged("TRUNCATE orders", "shop_2", plan)
    assert change.emptied == Truncation(objection="orders has 2 source tables, whose other rows stay")
