"""MySQL's JSON in a plan: what it may be used for, what is refused with which code, and what `verify` asks (C15)."""

from __future__ import annotations

from pathlib import Path

import pytest

from shardwright.compiler.plan.plan import StepName
from shardwright.specs.findings.diagnostics import SpecError
from tests.compiler.projects import compile_folder, write_texts

SCHEMA = """CREATE TABLE item (
  id int NOT NULL,
  doc json NOT NULL,
  extra json DEFAULT NULL,
  PRIMARY KEY (id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
"""
SPEC = """version: 1
migration: documents
source: {dialect: mysql, databases: [shop], schema: schema.sql}
target: {databases: "part_{0..1}"}
sharding:
  by_id: {shard_key: [id], database: crc32(id) % 2}
tables:
  - table: item
    sharding: by_id
"""


def spec(more: str, *, sharding: str = "id, database: crc32(id) % 2") -> str:
    return SPEC.replace("[id], database: crc32(id) % 2", f"[{sharding.replace(',', '],', 1)}") + more


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ("    key: [doc]\n", "SW2112"),
        ("    where: doc = 'x'\n", "SW3051"),
        ("    columns: {mask: {doc: {hash: sha256}}}\n", "SW2136"),
        ("    columns: {cast: {doc: {type: varchar(200)}}}\n", "SW2131"),
        ("    columns: {default: {extra: \"'x'\"}}\n", "SW2135"),
        ("    version_column: doc\n", "SW2114"),
    ],
)
def test_c15_where_a_document_cannot_work_it_is_refused(tmp_path: Path, more: str, code: str) -> None:
    with pytest.raises(SpecError) as failure:
        compile_folder(write_texts(tmp_path, spec(more), SCHEMA))
    assert [item.code for item in failure.value.diagnostics if item.stops and item.code == code]


def test_c15_a_document_places_no_row(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="SW3005"):
        compile_folder(write_texts(tmp_path, spec("", sharding="doc, database: crc32(doc) % 2"), SCHEMA))


def test_c15_documents_are_staged_as_documents_and_compared_in_one_form(tmp_path: Path) -> None:
    more = "    where: extra IS NOT NULL\n    columns: {rename: {doc: body}, mask: {extra: redact}}\n"
    plan = compile_folder(write_texts(tmp_path, spec(more), SCHEMA)).plan
    assert "`body` JSON NULL" in plan.step("item", StepName.BOOKKEEPING).statement("stage")
    assert "\n  `doc`," in plan.step("item", StepName.CHUNK_READ).statement("all")
    for step, name in ((StepName.VERIFY_SOURCE, "doc"), (StepName.VERIFY_TARGET, "body")):
        asked = plan.step("item", step).statement("sum")
        assert f"CAST(CAST(`{name}` AS CHAR CHARACTER SET utf8mb4) AS JSON) = `{name}`" in asked
    assert plan.backward is None  # a mask has no way back


def test_c15_documents_come_back(tmp_path: Path) -> None:
    plan = compile_folder(write_texts(tmp_path, SPEC, SCHEMA)).plan
    assert plan.backward is not None and plan.table("item").way_back == ()


def test_c15_a_document_kept_as_a_text_has_no_way_back(tmp_path: Path) -> None:
    """The text may be no document, or one that the server spells otherwise."""
    more = "    columns: {cast: {doc: {type: longtext}}}\n"
    plan = compile_folder(write_texts(tmp_path, spec(more), SCHEMA)).plan
    assert [(item.column, item.verdict) for item in plan.table("item").way_back] == [("doc", "lost")]
    asked = plan.step("item", StepName.VERIFY_SOURCE).statement("sum")
    assert "AS JSON) = `extra`" in asked and "AS JSON) = `doc`" not in asked
