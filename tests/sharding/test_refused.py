"""What is refused: with which code, at which characters of the expression, with which hint."""

from __future__ import annotations

import pytest

from shardwright.compiler.expressions.parse import parse_expression
from shardwright.compiler.expressions.read_sql import SqlSource
from shardwright.specs.findings.codes.registry import find_code
from shardwright.specs.findings.diagnostics import Findings, Span
from tests.sharding.typed_columns import COLUMNS

LINE, COLUMN = 12, 15

REFUSED: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    ("", (("SW3001", ""),)),
    ("  ", (("SW3001", "  "),)),
    ("user_id %", (("SW3001", "%"),)),
    ("user_id, big", (("SW3001", ","),)),
    ("crc32(country", (("SW3001", "country"),)),
    ("crc32('abc", (("SW3001", "crc32('abc"),)),
    ("user_id % 4 -- why", (("SW3002", "4"),)),
    ("user_id /* a */ % 4", (("SW3002", "user_id"),)),
    ("crc32(user_id) % 4; drop table orders", (("SW3002", ";"),)),
    ("crc32(user_id) % 4;", (("SW3002", ";"),)),
    ("(select max(id) from t) % 4", (("SW3003", "select"),)),
    ("user_id in (select 1)", (("SW3003", "select"), ("SW3051", "user_id in (select 1)"))),
    ("md5(order_no)", (("SW3003", "md5(order_no)"),)),
    ("load_file('/etc/passwd')", (("SW3010", "load_file('/etc/passwd')"),)),
    ("sleep(10) + benchmark(9, 9)", (("SW3010", "sleep(10)"), ("SW3010", "benchmark(9, 9)"))),
    ("rand() * 16", (("SW3010", "rand"),)),
    ("uuid()", (("SW3010", "uuid"),)),
    ("now() + current_timestamp", (("SW3010", "now"), ("SW3010", "current_timestamp"))),
    ("@a + @@version", (("SW3003", "@"), ("SW3003", "@@"))),
    ("? % 4", (("SW3003", "?"),)),
    ("0x1F % 4", (("SW3003", "0x1F"),)),
    ("x'41' % b'1'", (("SW3003", "x'41'"), ("SW3003", "b'1'"))),
    ("crc32(_latin1'a')", (("SW3003", "_latin1"),)),
    ("crc32(n'a')", (("SW3003", "n'a'"),)),
    ("user_id::signed", (("SW3003", "::"),)),
    ("country || order_no", (("SW3050", "country || order_no"),)),
    ("user_id ^ 4", (("SW3003", "user_id ^ 4"),)),
    ("user_id >> 4", (("SW3003", "user_id >> 4"),)),
    ("user_id / 4", (("SW3003", "user_id / 4"),)),
    ("~user_id", (("SW3003", "~user_id"),)),
    ("not user_id", (("SW3050", "not user_id"),)),
    ("case when user_id then 1 end", (("SW3050", "user_id then 1"),)),
    ("if(user_id, 1, 2)", (("SW3050", "if(user_id, 1, 2)"),)),
    ("if(null, 1, 2)", (("SW3051", "1, 2"),)),
    ("case null when user_id then 2 end", (("SW3051", "user_id then 2"),)),
    ("crc32(concat_ws(':', country, order_no))", (("SW3003", "concat_ws(':', country, order_no)"),)),
    ("crc32(order_no collate utf8mb4_bin)", (("SW3003", "order_no"),)),
    ("max(user_id)", (("SW3003", "max(user_id)"),)),
    ("crc32(user_id) over ()", (("SW3003", "crc32(user_id)"),)),
    ("user_id as x", (("SW3003", "user_id as x"),)),
    ("orders.user_id % 4", (("SW3003", "orders.user_id"),)),
    ("shop.crc32(user_id)", (("SW3003", "shop.crc32(user_id)"),)),
    ("true + null", (("SW3003", "true + null"), ("SW3003", "true + null"))),
    ("*", (("SW3003", "*"),)),
    ("usr_id % 4 + user_idd", (("SW3004", "usr_id"), ("SW3004", "user_idd"))),
    ("concat()", (("SW3001", ")"),)),
    ("crc32()", (("SW3006", "crc32"),)),
    ("crc32(user_id, country)", (("SW3006", "crc32(user_id, country)"),)),
    ("country % 4", (("SW3006", "country % 4"),)),
    ("uuid % 4", (("SW3006", "uuid % 4"),)),
    ("-country", (("SW3006", "-country"),)),
    ("concat(uuid, country)", (("SW3006", "concat(uuid, country)"),)),
    ("coalesce(user_id, 'x')", (("SW3006", "coalesce(user_id, 'x')"),)),
    ("coalesce(token, country)", (("SW3006", "coalesce(token, country)"),)),
    ("substr(uuid, 1, 2)", (("SW3006", "substr(uuid, 1, 2)"),)),
    ("substr(country)", (("SW3006", "substr(country)"),)),
    ("substr(country, 0, 2)", (("SW3006", "substr(country, 0, 2)"),)),
    ("substr(country, -2)", (("SW3006", "substr(country, -2)"),)),
    ("substr(country, 1, -1)", (("SW3006", "substr(country, 1, -1)"),)),
    ("substr(country, user_id, 1)", (("SW3006", "substr(country, user_id, 1)"),)),
    ("substr(country, 1, 9999999999)", (("SW3006", "substr(country, 1, 9999999999)"),)),
    ("cast(user_id as char(3))", (("SW3006", "cast(user_id as char(3))"),)),
    ("cast(user_id as decimal(10, 2))", (("SW3006", "cast(user_id as decimal(10, 2))"),)),
    ("cast(user_id as date)", (("SW3006", "cast(user_id as date)"),)),
    ("convert(country using latin1)", (("SW3006", "convert(country using latin1)"),)),
    ("cast(uuid as signed)", (("SW3006", "cast(uuid as signed)"),)),
    ("cast(uuid as char)", (("SW3006", "cast(uuid as char)"),)),
    ("user_id % 0", (("SW3007", "user_id % 0"),)),
    ("user_id div 0", (("SW3007", "user_id div 0"),)),
    ("user_id % tiny", (("SW3007", "user_id % tiny"),)),
    ("user_id div (tiny + 1)", (("SW3007", "user_id div (tiny + 1)"),)),
    ("big % 9223372036854775808", (("SW3007", "big % 9223372036854775808"),)),
    ("user_id + 1", (("SW3008", "user_id + 1"),)),
    ("user_id * 2 % 16", (("SW3008", "user_id * 2"),)),
    ("-user_id", (("SW3008", "-user_id"),)),
    ("user_id div -1", (("SW3008", "user_id div -1"),)),
    ("(big + big) div 2", (("SW3008", "(big + big) div 2"),)),
    ("(user_id + big) div -2", (("SW3008", "(user_id + big) div -2"),)),
    (
        "(user_id - 0 * big - 9223372036854775808) div 2",
        (("SW3008", "(user_id - 0 * big - 9223372036854775808) div 2"),),
    ),
    ("big * big * 2", (("SW3008", "big * big"),)),
    ("cast(big as signed)", (("SW3008", "cast(big as signed)"),)),
    ("cast(user_id as unsigned)", (("SW3008", "cast(user_id as unsigned)"),)),
    ("cast(order_no as unsigned)", (("SW3008", "cast(order_no as unsigned)"),)),
    ("user_id % 1.5", (("SW3006", "user_id % 1.5"),)),
    ("user_id % 1e3", (("SW3009", "1e3"),)),
    ("crc32('é')", (("SW3009", "'é'"),)),
    ("crc32('a\\\\b')", (("SW3009", "'a\\\\b'"),)),
    ("crc32('\t')", (("SW3009", "'\t'"),)),
    ("big + " + "9" * 39, (("SW3009", "9" * 39),)),
    ("big + " + "9" * 5000, (("SW3009", "9" * 5000),)),
    ("md5(usr_id) + now() + 1.5", (("SW3003", "md5(usr_id)"), ("SW3010", "now"))),
    ("+".join(["tiny"] * 101), (("SW3001", "+".join(["tiny"] * 101)),)),
    ("+".join(["tiny"] * 20), (("SW3001", "+".join(["tiny"] * 20)),)),
    ("(" * 90 + "tiny" + ")" * 90, (("SW3001", "(" * 90 + "tiny" + ")" * 90),)),
)


def findings_of(text: str, span: Span) -> Findings:
    findings = Findings()
    expression = parse_expression(SqlSource(text, span), columns=COLUMNS, findings=findings)
    assert (expression is None) == findings.has_errors
    return findings


def _text_at(text: str, span: Span) -> str:
    assert (span.file, span.line) == ("specs/a.yaml", LINE)
    start = span.column - COLUMN
    return text[start : start + span.length]


@pytest.mark.parametrize(("text", "expected"), REFUSED, ids=[text[:60] for text, _ in REFUSED])
def test_refused(text: str, expected: tuple[tuple[str, str], ...]) -> None:
    findings = findings_of(text, Span("specs/a.yaml", LINE, COLUMN, max(1, len(text))))
    assert tuple((item.code, _text_at(text, item.span)) for item in findings.items) == expected
    assert all(find_code(item.code) for item in findings.items)
