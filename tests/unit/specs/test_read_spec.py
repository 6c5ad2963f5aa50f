"""The typed model of a spec."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from shardwright.specs.findings.diagnostics import Span, SpecError
from shardwright.specs.spec.model import Broadcast, DeletePolicy, ParentKey, Sharded, Single, Spec
from shardwright.specs.spec.read import read_spec

CASES = Path(__file__).parents[2] / "cases"


def valid(name: str) -> Spec:
    return read_spec(str(CASES / "valid" / name / "spec.yaml"))


def test_every_part() -> None:
    spec = valid("every-distribution")
    assert (spec.version, spec.migration, spec.owner, spec.ddl) == (1, "orders", None, "ddl/")
    assert spec.source.databases == ("shop",)
    assert spec.source.tables_suffix == ("",)
    assert (spec.source.dialect, spec.source.stream.name, spec.source.schema) == ("mariadb", "binlog", "schema.sql")
    assert spec.target.databases == ("order_db_0", "order_db_1", "order_db_2", "order_db_3")
    assert spec.target.tables_suffix == ("_0", "_1", "_2", "_3")
    rule = spec.sharding["by_user"]
    assert (rule.shard_key, rule.database, rule.table) == (("user_id",), "user_id % 4", "user_id div 4 % 4")
    assert (rule.algorithm, rule.options, rule.tables_suffix) == (None, {}, None)
    orders, items, region, country, lock = spec.tables
    assert (orders.table, orders.to, orders.expect, orders.is_pattern) == ("order_info", None, None, False)
    assert (orders.key, orders.weight, orders.version_column) == (("order_id",), 10, "updated_at")
    assert (orders.columns.exclude, orders.columns.include) == (("internal_note",), None)
    assert dict(orders.columns.rename) == {"amt": "amount"}
    assert (items.table, items.to, items.expect, items.is_pattern) == ("order_item_*", "order_item", 16, True)
    assert [table.distribution for table in spec.tables] == [
        Sharded("by_user"),
        Sharded("by_user", ("buyer_id",)),
        Broadcast(),
        Broadcast("shop"),
        Single("order_db_0"),
    ]
    assert region.deletes == country.deletes == DeletePolicy("until_snapshot")
    assert lock.deletes == DeletePolicy("immediate")
    assert {table.weight for table in spec.tables} == {0, 5, 10}


def test_places() -> None:
    path = str(CASES / "valid" / "every-distribution" / "spec.yaml")
    spec = read_spec(path)
    assert spec.span_of(("tables", 0, "weight")) == Span(path, 14, 13, 2)
    assert spec.span_of(("tables", 0, "columns", "rename", "amt")).column == 21
    assert spec.key_span_of(("tables", 0, "columns", "rename", "amt")).column == 16
    assert spec.span_of(("tables", 0, "deletes", "delay", "x")) == spec.span_of(("tables", 0, "deletes"))
    assert spec.span_of(("nowhere",)).line == 1


def test_words_of_another_yaml_stay_words() -> None:
    spec = valid("words-of-another-yaml")
    assert spec.owner == "on"
    assert (spec.source.databases, spec.target.databases) == (("no",), ("off", "yes"))
    assert [table.table for table in spec.tables] == ["010", "1_0", "12-30-00"]
    assert spec.tables[0].key == ("n",)


def test_block_scalars() -> None:
    rule = valid("block-scalars").sharding["by_user"]
    assert (rule.database, rule.table) == ("user_id % 4", "user_id div 4 % 4\n")


def test_parent_of_a_table() -> None:
    assert valid("parent").tables[1].distribution == Sharded("by_user", None, ParentKey("orders", ("order_id",)))


def test_findings_name_the_file_as_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.yaml").write_text("version: 2\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    for path in ("a.yaml", "./a.yaml", str(tmp_path / "a.yaml")):
        with pytest.raises(SpecError) as caught:
            read_spec(path)
        assert {item.span.file for item in caught.value.diagnostics} == {path}


@pytest.mark.parametrize("module", ["spec.read", "environment.read", "findings.codes.registry", "findings.render"])
def test_importing_is_cheap(module: str) -> None:
    code = f"import shardwright.specs.{module}, sys; print(*sys.modules, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert {name.split(".")[0] for name in done.stdout.split()} & {
        "jsonschema",
        "sqlglot",
        "pyspark",
        "pymysql",
    } == set()
