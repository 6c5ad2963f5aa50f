"""Unique keys over how values begin, `UNIQUE (name(10))`, and over expressions, `UNIQUE ((lower(name)))`, in the plan:
which of them the target has, and what is said of the others (contract C6)."""

from __future__ import annotations

from pathlib import Path

import pytest

from shardwright.compiler.plan.catalogue import EXPRESSION, FunctionalKey, PrefixKey
from shardwright.compiler.plan.files import read_plan, write_plan
from shardwright.compiler.plan.plan import StepName
from shardwright.compiler.review.difference.compare import compare
from shardwright.compiler.review.difference.render_text import render_text
from shardwright.compiler.steps.forecast import collision_sql
from tests.compiler.projects import GOLDEN, compile_folder, write_texts

FOLDER = GOLDEN / "beginnings"
SPEC = (FOLDER / "spec.yaml").read_text("utf-8")
SCHEMA = (FOLDER / "schema.sql").read_text("utf-8")
_ID = "(CAST(JSON_UNQUOTE(JSON_EXTRACT(`doc`, _utf8mb4 '$.id')) AS CHAR(20) CHARACTER SET utf8mb4))"


def test_the_target_has_the_keys_whose_values_arrive_as_they_are(tmp_path: Path) -> None:
    made = compile_folder(FOLDER)
    table = made.plan.table("page")
    assert table.identity.prefix_keys == (
        PrefixKey("by_url", ("address", "shop"), (80, 0)),
        PrefixKey("by_digest", ("shop", "digest"), (0, 16)),
        PrefixKey("by_low", ("low",), (10,)),
        FunctionalKey("by_upper", ("title",), (), ("(UPPER(`title`))",)),
        FunctionalKey("by_doc", ("shop", "doc"), (0,), (_ID,)),
        FunctionalKey("by_path", ("code", "title", "low"), (5,), ("(CONCAT(`title`, `low`) COLLATE utf8mb4_bin)",)),
    )
    assert [key.name for key in table.identity.unique_keys] == ["by_code"]
    create = " ".join(made.plan.step("page", StepName.CREATE_TABLE).statement("create").split())
    for kept in ("UNIQUE `by_url` ( `address`(80), `shop` )", "`digest`(16) DESC", "UNIQUE `by_low` ( `low`(10) )"):
        assert kept in create
    assert "UNIQUE `by_upper` ( ( UPPER(`title`) ) )" in create
    assert not any(left in create for left in ("by_mail", "by_secret", "by_hidden"))
    write_plan(made.plan, tmp_path / "plan")
    assert read_plan(tmp_path / "plan") == made.plan


def test_what_the_target_goes_without_is_named() -> None:
    said = {(item.code, item.message) for item in compile_folder(FOLDER).warnings}
    without = "UNIQUE KEY 'by_mail' over a prefix, UNIQUE KEY 'by_mailbox' over an expression"
    assert ("SW4108", f"table 'page': left out of the target: {without}") in said
    for key in ("by_secret", "by_hidden"):
        gone = f"table 'page': unique key '{key}' is left out of the target: it uses 'secret', which is not copied"
        assert ("SW4002", gone) in said
    alone = {item.why for item in compile_folder(FOLDER).plan.table("page").way_back if item.verdict == "refused"}
    assert {why.split(":")[0] for why in alone} == {
        f"({key}) is unique on each shard only"
        for key in ("id", "low(10)", "(UPPER(`title`))", "code(5), (CONCAT(`title`, `low`) COLLATE utf8mb4_bin)")
    }


@pytest.mark.parametrize(
    ("kind", "has_key"),
    [
        ("char(20)", False),
        ("char(20) CHARACTER SET utf8mb4", False),
        ("char(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci", True),
        ("varchar(20)", True),
        ("binary(20)", True),
    ],
)
def test_a_char_whose_index_pads_what_no_function_pads(tmp_path: Path, kind: str, has_key: bool) -> None:
    """Of CHAR with a NO PAD collation the index takes 'ab' and 'ab cd' for equal in UNIQUE (c(3))."""
    schema = SCHEMA.replace("title varchar(100) NOT NULL", f"title varchar(100) NOT NULL, c {kind}")
    schema = schema.replace("UNIQUE KEY by_low", "UNIQUE KEY by_c (c(3)), UNIQUE KEY by_low")
    made = compile_folder(write_texts(tmp_path, SPEC, schema))
    create = made.plan.step("page", StepName.CREATE_TABLE).statement("create")
    assert (
        [key.name for key in made.plan.table("page").identity.prefix_keys].count("by_c")
        == has_key
        == ("`by_c`" in create)
    )
    assert any("UNIQUE KEY 'by_c' over a prefix" in item.message for item in made.warnings) != has_key


def test_the_stage_computes_how_a_generated_value_begins() -> None:
    plan = compile_folder(FOLDER).plan
    stage = " ".join(plan.step("page", StepName.BOOKKEEPING).statement("stage").split())
    assert "GENERATED ALWAYS AS (LOWER(`title`)) VIRTUAL" in stage
    stash = " ".join(plan.step("page", StepName.UPSERT).statement("stash").split())
    assert "LEFT(`t`.`low`, 10) <=> LEFT(`s`.`low`, 10)" in stash
    assert "`t`.`code` <=> `s`.`code`" in stash


def test_a_table_that_goes_by_all_of_its_columns_has_none(tmp_path: Path) -> None:
    spec = SPEC.replace("exclude: [secret]", "exclude: [low, doc]").replace(
        "    sharding: by_shop\n    columns", "    sharding: by_shop\n    key: all_columns\n    columns"
    )
    schema = SCHEMA.replace("  PRIMARY KEY (id),\n", "").replace("  UNIQUE KEY by_code (code, shop),\n", "")
    plan = compile_folder(write_texts(tmp_path, spec, schema)).plan
    assert plan.table("page").identity.prefix_keys == ()
    assert "UNIQUE" not in plan.step("page", StepName.CREATE_TABLE).statement("create")


def test_a_forecast_compares_how_values_begin(tmp_path: Path) -> None:
    spec = SPEC.replace("databases: [shop]", 'databases: "shop_{0..1}"')
    made = compile_folder(write_texts(tmp_path, spec, SCHEMA))
    table = made.plan.table("page")
    text = collision_sql(table, *table.sources, made.mappings["page"], key=table.identity.prefix_keys[0], place=None)
    assert "LEFT(`url`, 80) AS `sw_key_1`" in text and "`shop` AS `sw_key_2`" in text


def test_an_expression_goes_by_the_names_of_each_side(tmp_path: Path) -> None:
    spec = SPEC.replace("databases: [shop]", 'databases: "shop_{0..1}"').replace("address", "address, title: headline")
    made = compile_folder(write_texts(tmp_path, spec, SCHEMA))
    table = made.plan.table("page")
    (key,) = (key for key in table.identity.prefix_keys if key.name == "by_path")
    assert key.parts == (("code", 5), ("(CONCAT(`headline`, `low`) COLLATE utf8mb4_bin)", EXPRESSION))
    text = " ".join(collision_sql(table, *table.sources, made.mappings["page"], key=key, place=None).split())
    assert "( CONCAT(`title`, `low`) COLLATE utf8mb4_bin ) AS `sw_key_2`" in text
    stash = " ".join(made.plan.step("page", StepName.UPSERT).statement("stash").split())
    assert "( UPPER(`t`.`headline`) ) <=> ( UPPER(`s`.`headline`) )" in stash


@pytest.mark.parametrize(
    ("key", "has_key"),
    [
        ("(lower(mail))", False),  # masked
        ("(cast(at as date))", False),  # each session has its own time zone
        ("at, (lower(title))", True),
        ("(cast(day as date))", True),
        ("(json_value(doc, _utf8mb4'$.id' returning unsigned))", False),  # not understood
        ("(cast(json_extract(doc, _utf8mb4'$.tags') as unsigned array))", False),  # many values of one row
    ],
)
def test_an_expression_that_the_target_would_compare_otherwise_is_left_out(
    tmp_path: Path, key: str, has_key: bool
) -> None:
    schema = SCHEMA.replace("  doc json", "  at timestamp NULL,\n  day datetime(6),\n  doc json")
    made = compile_folder(
        write_texts(
            tmp_path, SPEC, schema.replace("UNIQUE KEY by_low", f"UNIQUE KEY `by_x` ({key}),\n  UNIQUE KEY by_low")
        )
    )
    create = made.plan.step("page", StepName.CREATE_TABLE).statement("create")
    assert (
        [each.name for each in made.plan.table("page").identity.prefix_keys].count("by_x")
        == has_key
        == ("`by_x`" in create)
    )
    assert any("KEY 'by_x'" in item.message and item.code == "SW4108" for item in made.warnings) != has_key


def test_reviewers_see_that_another_length_counts(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("old", "new")]
    for folder in folders:
        folder.mkdir()
    old = compile_folder(write_texts(folders[0], SPEC, SCHEMA))
    new = compile_folder(write_texts(folders[1], SPEC, SCHEMA.replace("url(80)", "url(90)")))
    reported = render_text((compare(old, new),), base="old", with_sql=False)
    assert "by_url (url(80), shop)" in reported and "by_url (url(90), shop)" in reported


def test_on_the_way_back_an_expression_goes_by_the_sources_names(tmp_path: Path) -> None:
    spec = SPEC.replace("      mask: {mail: {hash: sha256}}\n", "").replace("address", "address, title: headline")
    made = compile_folder(write_texts(tmp_path, spec.replace("      exclude: [secret]\n", ""), SCHEMA))
    assert made.backward is not None
    keys = {key.name: key.words for key in made.backward.plan.table("page").identity.prefix_keys}
    assert keys["by_path"] == "code(5), (CONCAT(`title`, `low`) COLLATE utf8mb4_bin)"
    assert keys["by_mailbox"] == "shop, (LOWER(`mail`))"
