"""A masked column's clear value, wrongly written to a shard, is found and told, but never printed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from shardwright.runtime.verify.html_report import as_html
from shardwright.runtime.verify.report import as_json, as_text
from shardwright.runtime.verify.result import MismatchKind, Verdict, VerifyResult
from tests.verify.layout import Layout, home
from tests.verify.plans import BIGINT, DATABASES, NAME, SUFFIXES, column, plan, table

pytestmark = pytest.mark.server

TEXT = "VARCHAR(400) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL"
PHONE = replace(column("phone", NAME, nullable=True), mapping="masked: redacted", reversibility="one-way")
PEOPLE = table("people", (column("id", BIGINT), column("name", NAME, nullable=True), PHONE), ("id",))
PLAN = plan((PEOPLE, "id"))
FORMS: dict[str, Callable[[VerifyResult], str]] = {
    "text": as_text,
    "html": as_html,
    "json": lambda result: json.dumps(as_json(result), ensure_ascii=False),
}


@pytest.mark.parametrize("clear", ["+49 170 5550123", "+49 170 5550123 " * 20], ids=["short", "long"])
def test_the_clear_value_on_a_shard_is_in_no_report(layout: Layout, clear: str) -> None:
    layout.create_sharded(f"id BIGINT NOT NULL PRIMARY KEY, name {TEXT}, phone {TEXT}", "people")
    layout.fill("people", [(number, f"n{number}", None) for number in range(50)], shard_key=0)
    database, part = home(7)
    physical = f"people{SUFFIXES[part]}"
    layout.execute(DATABASES[database], f"UPDATE {physical} SET phone = %s, name = 'other' WHERE id = 7", clear)
    result = layout.verify(PLAN)
    [mismatch] = result.tables[0].mismatches
    assert (result.verdict, mismatch.kind) == (Verdict.DIFFERENT, MismatchKind.DIFFERENT)
    shown = {item.column: (item.source, item.target) for item in mismatch.columns}
    unit = "characters" if len(clear) < 200 else "bytes"
    assert shown == {"name": ("n7", "other"), "phone": (None, f"(masked, {len(clear)} {unit})")}
    for form, write in FORMS.items():
        assert clear[:15] not in write(result), form
