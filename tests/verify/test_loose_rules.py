"""Values that are equal under a relaxed rule have their cause; values that are not have none. In real servers."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.steps.loose_rules import LooseRule, full_values, loose_rules
from shardwright.runtime.verify.cause import WORDS, Cause
from shardwright.runtime.verify.html_report import as_html
from shardwright.runtime.verify.report import as_text
from tests.verify.layout import Layout, home
from tests.verify.plans import BIGINT, DATABASES, SUFFIXES, UTF8, column, plan, table

GENERAL = {"charset": "utf8mb4", "collation": "utf8mb4_general_ci"}
KINDS = {
    "name": ("VARCHAR(400) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci", ColumnType("varchar", length=400, **GENERAL)),
    "code": ("VARCHAR(60) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin", ColumnType("varchar", length=60, **UTF8)),
    "body": ("LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin", ColumnType("longtext", **UTF8)),
    "amount": ("DECIMAL(30, 4)", ColumnType("decimal", precision=30, scale=4)),
    "ratio": ("DOUBLE", ColumnType("double")),
    "small": ("FLOAT", ColumnType("float")),
    "big": ("BIGINT", BIGINT),
    "at": ("DATETIME(6)", ColumnType("datetime", precision=6)),
    "moment": ("TIMESTAMP(3) NULL", ColumnType("timestamp", precision=3)),
    "raw": ("VARBINARY(600)", ColumnType("varbinary", length=600)),
}  # fmt: skip
THINGS = table(
    "things", (column("id", BIGINT), *(column(name, kind, nullable=True) for name, (_, kind) in KINDS.items())), ("id",)
)
LONG = "Straße " * 50
CASES: list[tuple[str, object, object, Cause | None]] = [
    ("name", "Müller", "MULLER", Cause.COLLATION),
    ("name", "Müller", "Müller   ", Cause.COLLATION),
    ("name", LONG, LONG.upper().replace("STRASSE", "straße"), Cause.COLLATION),
    ("name", "Müller", "Miller", None),
    ("name", "Müller", "Mül", Cause.TRUNCATED),
    ("name", "Mül", "Müller", None),
    ("name", "Müller", "", None),
    ("name", LONG, LONG[:300], Cause.TRUNCATED),
    ("name", LONG, "x" + LONG[:300], None),
    ("code", "abc", "ABC", None),
    ("code", "abc", "abc ", Cause.COLLATION),
    ("body", '{"a": 1.10, "b": [1, 2]}', '{"a": 1.1, "b": [1, 2.0]}', Cause.JSON_NUMBER),
    ("body", '{"a": 1.10, "b": [1, 2]}', '{"a": 1.2, "b": [1, 2]}', None),
    ("body", '{"a": "x"}', '{"a": "y"}', None),
    ("body", '["x", "y"]', '["y", "x"]', None),
    ("body", "no document", "1.0", None),
    ("amount", "12.3456", "12.35", Cause.ROUNDING),
    ("amount", "12.3456", "12.34", Cause.ROUNDING),
    ("amount", "12.3456", "13", Cause.ROUNDING),
    ("amount", "12.3456", "14", None),
    ("amount", "12.3456", "12.3457", None),
    ("amount", "1200", "1201", None),
    ("ratio", 12.3456789, 12.345679, Cause.ROUNDING),
    ("ratio", 1e-10, 2e-10, None),
    ("ratio", 3e200, 3.0000001e200, Cause.ROUNDING),
    ("ratio", 3e200, 4e200, None),
    ("small", 0.1, 0.10000002, Cause.ROUNDING),
    ("big", 2**53 + 1, 2**53, Cause.ROUNDING),
    ("big", 41, 42, None),
    ("at", "2024-03-31 01:59:59.123456", "2024-03-31 01:59:59", Cause.ROUNDING),
    ("at", "2024-03-31 01:59:59.623456", "2024-03-31 02:00:00", Cause.ROUNDING),
    ("at", "2024-03-31 01:59:59.123456", "2024-03-31 01:59:59.124", Cause.ROUNDING),
    ("at", "2024-03-31 01:59:59", "2024-03-31 02:00:00", None),
    ("at", "2024-03-31 01:59:59.5", "2024-03-31 07:29:59.5", Cause.TIME_ZONE),
    ("at", "2024-03-31 01:59:59", "2024-03-31 17:59:59", None),
    ("at", "2024-03-31 01:59:59", "2024-03-31 02:59:58", None),
    ("moment", "2024-06-01 12:00:00", "2024-06-01 10:00:00", Cause.TIME_ZONE),
    ("raw", b"\x00\xffabc", b"\x00\xff", Cause.TRUNCATED),
    ("raw", b"ab" * 300, b"ab" * 200, Cause.TRUNCATED),
    ("raw", b"\x00\xffabc", b"\x00\xfeab", None),
    ("code", "abc", None, None),
]  # fmt: skip


@pytest.mark.server
@pytest.mark.mysql
def test_h5_each_cause_that_values_show(layout: Layout) -> None:
    names = list(KINDS)
    layout.create_sharded(
        f"id BIGINT NOT NULL PRIMARY KEY, {', '.join(f'`{name}` {sql}' for name, (sql, _) in KINDS.items())}", "things"
    )
    rows = [
        (number, *(source if name == changed else None for name in names))
        for number, (changed, source, _, _) in enumerate(CASES)
    ]
    layout.fill("things", rows, shard_key=0)
    for number, (name, _, value, _) in enumerate(CASES):
        database, part = home(number)
        layout.execute(
            DATABASES[database], f"UPDATE things{SUFFIXES[part]} SET `{name}` = %s WHERE id = {number}", value
        )
    # Two columns differ, and one of them is not explained.
    database, part = home(0)
    layout.execute(DATABASES[database], f"UPDATE things{SUFFIXES[part]} SET big = 7 WHERE id = 0")
    result = layout.verify(plan((THINGS, "id")))
    found = {int(mismatch.key[0]): mismatch for mismatch in result.tables[0].mismatches}
    wrong = {
        number: (CASES[number], one.cause)
        for number in range(len(CASES))
        if (one := next(column for column in found[number].columns if column.column == CASES[number][0])).cause
        is not CASES[number][3]
    }
    assert not wrong, wrong
    assert found[0].cause is None, "not all of the row is explained"
    assert {found[number].cause for number in range(1, len(CASES))} == {None, *map(Cause, LooseRule)}
    text, page = as_text(result), as_html(result)
    for rule in map(Cause, LooseRule):
        assert WORDS[rule] in text and WORDS[rule] in page, rule
    assert '"cause": "rounding"' in json.dumps([asdict(one) for one in found.values()])


def test_the_rules_are_as_reviewed() -> None:
    file = Path(__file__).parent / "golden" / "loose_rules.sql"
    document = replace(KINDS["body"][1], name="json", charset=None, collation=None)
    parts = [f"-- {name}\n{loose_rules((kind,))};\n" for name, (_, kind) in [*KINDS.items(), ("json", (0, document))]]
    full = full_values(THINGS, "target", ("part_0", "things_1"), ["name", "raw"])
    text = "\n".join([*parts, f"-- values in full\n{full};\n"])
    if os.environ.get("SHARDWRIGHT_REWRITE") and not os.environ.get("CI"):
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


def test_every_rule_is_a_cause_with_words() -> None:
    assert {rule.value for rule in LooseRule} < {cause.value for cause in Cause}
    assert set(WORDS) == set(Cause)
