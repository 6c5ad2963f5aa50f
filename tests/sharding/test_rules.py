"""From a sharding rule to its function: named algorithms, overridden columns, and every finding about a whole rule."""

from __future__ import annotations

import pytest

from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.sharding.build import Grid, RuleContext, ShardFunction, database_and_table, route
from shardwright.compiler.sharding.function import route_each
from shardwright.specs.findings.codes.registry import find_code
from shardwright.specs.findings.diagnostics import Findings, Path, Severity, Span
from shardwright.specs.spec.model import ShardingRule
from tests.sharding.typed_columns import COLUMNS

PATH: Path = ("sharding", "by_user")
LINES = {(): 3, ("shard_key",): 4, ("database",): 5, ("table",): 6, ("algorithm",): 7}


def span_of(path: Path) -> Span:
    return Span("specs/a.yaml", LINES[path[len(PATH) :]], 20, 10)


def rule(
    *key: str, database: str | None = None, table: str | None = None, algorithm: str | None = None
) -> ShardingRule:
    return ShardingRule("by_user", key, database, table, algorithm, {}, None, PATH)


def grid(databases: int, tables: int) -> Grid:
    suffixes = tuple(f"_{number:02}" for number in range(tables)) if tables > 1 else ("",)
    return Grid(tuple(f"db_{number:02}" for number in range(databases)), suffixes)


def build_rule(
    made_from: ShardingRule,
    *,
    databases: int = 16,
    tables: int = 1,
    files: dict[str, str] | None = None,
    shard_key: tuple[str, ...] | None = None,
    columns: dict[str, Column] | None = None,
) -> tuple[ShardFunction | None, list[tuple[str, int]]]:
    """The function and the findings as (code, line)."""
    findings = Findings()
    function = database_and_table(
        made_from,
        shard_key or made_from.shard_key,
        columns=columns or COLUMNS,
        context=RuleContext(grid(databases, tables), files or {}, span_of, findings),
    )
    assert (function is None) == findings.has_errors
    assert all(find_code(item.code) for item in findings.items)
    warnings = {item.code for item in findings.items if item.severity is Severity.WARNING}
    assert warnings <= {"SW5004", "SW5005", "SW5011"}
    return function, [(item.code, item.span.line) for item in findings.items]


def test_expressions() -> None:
    made = rule("user_id", database="crc32(user_id) % 16", table="(crc32(user_id) div 16) % 8")
    function, findings = build_rule(made, tables=8)
    assert function is not None and findings == []
    assert function.columns() == {"user_id"}
    assert route(function, {"user_id": 123456789}) == (0xCBF43926 % 16, 0xCBF43926 // 16 % 8)


def test_one_table_needs_no_expression() -> None:
    function, findings = build_rule(rule("user_id", database="crc32(user_id) % 16"))
    assert function is not None and findings == []
    assert route(function, {"user_id": 1})[1] == 0


def test_crc32_mod() -> None:
    function, findings = build_rule(rule("email", algorithm="crc32_mod"), tables=4)
    assert function is not None and findings == []
    assert route(function, {"email": "é"}) == (235179326 % 16, 235179326 // 16 % 4)


@pytest.mark.parametrize("value", [0, 1, -1, -16, -17, -(2**63), 2**63 - 1])
def test_mod_rounds_down(value: int) -> None:
    function, findings = build_rule(rule("user_id", algorithm="mod"), tables=4)
    assert function is not None and findings == []
    assert route(function, {"user_id": value}) == (value % 16, value // 16 % 4)


def test_a_table_calls_the_column_otherwise() -> None:
    made = rule("user_id", database="crc32(user_id) % 16")
    buyer = Column("buyer_id", COLUMNS["user_id"].type, False)
    function, findings = build_rule(made, shard_key=("buyer_id",), columns={"user_id": buyer})
    assert function is not None and findings == []
    assert function.columns() == {"buyer_id"}
    assert route(function, {"buyer_id": 123456789})[0] == 0xCBF43926 % 16


def test_swapped_columns_follow_their_position() -> None:
    made = rule("number", "user_id", database="crc32(concat(number, ':', user_id)) % 16")
    columns = {"number": COLUMNS["user_id"], "user_id": COLUMNS["number"]}
    function, _ = build_rule(made, shard_key=("user_id", "number"), columns=columns)
    straight, _ = build_rule(made)
    assert function is not None and straight is not None
    assert route(function, {"user_id": 1, "number": 2}) == route(straight, {"number": 1, "user_id": 2})


def test_columns_are_compared_without_case() -> None:
    function, findings = build_rule(rule("USER_ID", database="crc32(User_Id) % 16"), shard_key=("User_ID",))
    assert function is not None and findings == []
    assert function.columns() == {"user_id"}


def test_d14_null_key_is_refused_at_run_time() -> None:
    function, _ = build_rule(rule("user_id", database="crc32(user_id) % 16"))
    assert function is not None
    with pytest.raises(ValueError, match="NULL"):
        route(function, {"user_id": None})
    with pytest.raises(ValueError, match="is NULL although"):
        route_each(function, [{"user_id": 1}, {"user_id": None}])


FINDINGS = {
    "nullable": (rule("referrer_id", database="crc32(referrer_id) % 16"), 1, [("SW5001", 5)]),
    "nullable key of an algorithm": (rule("referrer_id", algorithm="crc32_mod"), 1, [("SW5001", 7)]),
    "coalesce helps": (rule("referrer_id", database="crc32(coalesce(referrer_id, 0)) % 16"), 1, []),
    "signed rest": (rule("user_id", database="user_id % 16"), 1, [("SW5002", 5)]),
    "signed rest made positive": (rule("user_id", database="((user_id % 16) + 16) % 16"), 1, []),
    "unsigned rest": (rule("big", database="big % 16"), 1, []),
    "too large": (rule("big", database="crc32(big) % 17"), 1, [("SW5002", 5)]),
    "nullable and too large": (
        rule("referrer_id", database="crc32(referrer_id) % 17"),
        1,
        [("SW5001", 5), ("SW5002", 5)],
    ),
    "no integer": (rule("email", database="substr(email, 1, 1)"), 1, [("SW5003", 5)]),
    "too few": (rule("big", database="crc32(big) % 8"), 1, [("SW5004", 5)]),
    "one shard only": (rule("big", database="3"), 1, [("SW5004", 5), ("SW5011", 4)]),
    "a narrow type": (rule("utiny", algorithm="mod"), 64, [("SW5004", 7)]),
    "same rest": (rule("big", database="big % 16", table="big % 16"), 16, [("SW5005", 6)]),
    "rests with a common factor": (rule("big", database="big % 16", table="big % 12"), 12, [("SW5005", 6)]),
    "rests without a common factor": (rule("big", database="big % 16", table="big % 9"), 9, []),
    "table missing": (rule("big", database="big % 16"), 4, [("SW5006", 6)]),
    "database missing": (rule("big", table="big % 4"), 4, [("SW5006", 5)]),
    "both wrong": (rule("big", database="big % 17", table="sha1(big)"), 4, [("SW5002", 5), ("SW3003", 6)]),
    "algorithm unknown": (rule("big", algorithm="crc_mod"), 1, [("SW5007", 7)]),
    "algorithm over text": (rule("email", algorithm="mod"), 1, [("SW5008", 7)]),
    "algorithm over two": (rule("email", "big", algorithm="mod"), 1, [("SW5008", 7)]),
    "hash over two": (rule("email", "big", algorithm="crc32_mod"), 1, []),
    "not of the shard key": (rule("email", database="crc32(big) % 16"), 1, [("SW3004", 5)]),
    "unused column": (rule("email", "big", database="crc32(big) % 16"), 1, [("SW5011", 4)]),
    "key not in the table": (rule("nobody", database="crc32(nobody) % 16"), 1, [("SW3004", 3)]),
}


@pytest.mark.parametrize("case", FINDINGS)
def test_findings(case: str) -> None:
    made_from, tables, expected = FINDINGS[case]
    assert build_rule(made_from, tables=tables)[1] == expected


def test_shard_key_of_another_length() -> None:
    assert build_rule(rule("big", database="big % 16"), shard_key=("big", "email"))[1] == [("SW5009", 3)]


def test_one_database_and_one_table_need_nothing() -> None:
    function, findings = build_rule(rule("big"), databases=1)
    assert function is not None and findings == []
    assert route(function, {"big": 7}) == (0, 0)


@pytest.mark.parametrize("type_name", ["decimal", "datetime", "json", "enum", "blob", "double", "bit", "year"])
def test_types_that_are_no_shard_key(type_name: str) -> None:
    column = Column("c", type(COLUMNS["big"].type)(type_name), False)
    for made in (rule("c", database="crc32(c) % 16"), rule("c", algorithm="crc32_mod")):
        _, findings = build_rule(made, columns={"c": column})
        assert [code for code, _ in findings] == ["SW3005"]
