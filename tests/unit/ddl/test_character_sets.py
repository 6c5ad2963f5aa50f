"""CONVERT TO is refused, by the column's name, where texts that are compared would be compared in another way."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shardwright.compiler.ddl.routing.catching_up import creates_of
from shardwright.compiler.ddl.routing.changes import read_changes
from shardwright.compiler.plan.table_parts import EventGroup, Placement, Writes
from shardwright.specs.findings.diagnostics import Findings
from tests.ddl.plans import shop_plan

BIN = "CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"
OPTIONS = "ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci"


def findings_of(columns: str, statements: str, **changed: object) -> list[str]:
    plan = shop_plan({}, schema=f"CREATE TABLE `orders` ({columns}) {OPTIONS};")
    findings = Findings()
    tables = {"orders": replace(plan.table("orders"), **changed)}  # type: ignore[arg-type]
    read_changes({"ddl/0001_x.sql": statements}, tables=tables, findings=findings, creates=creates_of(plan.steps))
    return [f"{item.code} {item.message}" for item in findings.items if item.severity == "error"]


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ("`id` int NOT NULL, `a` text, PRIMARY KEY (`id`), KEY (`a`(9))", ""),
        ("`id` int NOT NULL, `a` varchar(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin UNIQUE, PRIMARY KEY (`id`)", ""),
        ("`a` varchar(9) NOT NULL, PRIMARY KEY (`a`)", "rows are found by it"),
        ("`id` int NOT NULL, `a` varchar(9), PRIMARY KEY (`id`), UNIQUE KEY `u` (`a`)", "a unique key has it"),
        ("`id` int NOT NULL, `a` enum('x') UNIQUE, PRIMARY KEY (`id`)", "a unique key has it"),
        ("`id` int NOT NULL, `a` char(3), PRIMARY KEY (`id`), CONSTRAINT c CHECK (`a` <> 'x')", "a check reads it"),
        ("`id` int NOT NULL, `a` char(3) CHECK (`a` <> 'x'), PRIMARY KEY (`id`)", "a check reads it"),
        (
            "`id` int NOT NULL, `a` char(3), `g` int AS (`a` = 'x'), PRIMARY KEY (`id`)",
            "column 'g' is computed from it",
        ),
        ("`id` int NOT NULL, `a` longtext CHECK (json_valid(`a`)), PRIMARY KEY (`id`)", ""),
    ],
)
def test_c5_c9_columns_whose_texts_are_compared_are_not_converted(columns: str, why: str) -> None:
    found = findings_of(columns, f"ALTER TABLE orders {BIN};")
    wanted = f"SW4017 table 'orders': column 'a' is to stay in latin1, latin1_swedish_ci: {why}"
    assert found == ([wanted] if why else [])


def test_c5_so_are_those_that_the_spec_compares() -> None:
    columns = "`id` int NOT NULL, `a` varchar(9), PRIMARY KEY (`id`)"
    for changed, why in (
        ({"placement": Placement(suffixes=("",), shard_key=("a",))}, "rows are placed by it"),
        ({"writes": Writes(version_column="a")}, "rows' versions are compared by it"),
        ({"writes": Writes(event_groups=(EventGroup("who", ("a",)),))}, "the field group 'who' compares it"),
    ):
        (said,) = findings_of(columns, f"ALTER TABLE orders {BIN};", **changed)
        assert said.endswith(why)


def test_c9_a_unique_key_of_an_earlier_file_counts_and_so_does_what_it_was_converted_to() -> None:
    columns = "`id` int NOT NULL, `a` varchar(9), PRIMARY KEY (`id`)"
    (said,) = findings_of(columns, f"ALTER TABLE orders ADD UNIQUE KEY u (a(3));\nALTER TABLE orders {BIN};")
    assert said.startswith("SW4017") and said.endswith("a unique key has it")
    again = f"ALTER TABLE orders {BIN};\nALTER TABLE orders ADD UNIQUE KEY u (a);\nALTER TABLE orders {BIN};"
    assert findings_of(columns, again) == []
    (said,) = findings_of(columns, f"ALTER TABLE orders {BIN};\nALTER TABLE orders {BIN.replace('mb4', 'mb3')};")
    assert said.startswith("SW4016") and "utf8mb4: utf8mb3 lacks" in said


def test_e18_what_cannot_be_calculated_is_refused() -> None:
    columns = "`id` int NOT NULL, `a` varchar(9), PRIMARY KEY (`id`), KEY `k` (`a`)"
    (said,) = findings_of(columns, f"ALTER TABLE orders ALTER INDEX k INVISIBLE;\nALTER TABLE orders {BIN};")
    assert said.startswith("SW4208") and "not known" in said
