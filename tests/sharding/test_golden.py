"""The SQL of every operator, in a file that a reviewer can read.

`SHARDWRIGHT_REWRITE=1 pytest tests/sharding/test_golden.py` writes it anew; what changed is the review.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from textwrap import wrap

import pytest

from shardwright.compiler.expressions.expression import Expression, IntegerExpression, NoMysqlForm, TextExpression
from shardwright.compiler.expressions.parse import parse_expression
from shardwright.compiler.expressions.read_sql import SqlSource
from shardwright.compiler.sql.sql_text import column, to_sql
from shardwright.specs.findings.diagnostics import Findings, Span
from tests.sharding.every_option import every_option
from tests.sharding.functions import function_of, grid
from tests.sharding.typed_columns import COLUMNS, TYPED_COLUMNS

GOLDEN = Path(__file__).parent / "golden"
LITERAL = re.compile(r"'(?:[^'\\]|\\.|'')*'", re.DOTALL)
LINES = 20
"""What has more is written in full lines."""
CHARACTERS = 20_000
"""What has more nobody reads: its beginning and its digest are written."""
EXPRESSIONS = (
    "user_id",
    "email",
    "uuid",
    "crc32(user_id) % 16",
    "(crc32(user_id) div 16) % 16",
    "crc32(filled) % 16",
    "crc32(country) % 16",
    "crc32(uuid) % 16",
    "crc32(concat(country, ':', user_id)) % 16",
    "crc32(coalesce(note, 'it''s')) % 16",
    "crc32(substr(order_no, 1, 4)) % 16",
    "crc32(substring(order_no from 5)) % 16",
    "crc32(cast(user_id as char)) % 16",
    "cast(substr(order_no, 1, 4) as signed) % 8",
    "coalesce(cast(note as signed), -1) % 8",
    "coalesce(referrer_id, 0) % 4",
    "coalesce(ubig_null, 0) % 4",
    "((user_id % 16) + 16) % 16",
    "usmall - utiny",
    "-(tiny + small) * 3",
    "user_id div -7",
    "big % 16",
    "big div 16",
    "(big - 5) % 97",
    "mod(number, 2 * 6)",
    "crc32('constant') % 16",
)


def _block(title: str, expression: Expression) -> str:
    match expression:
        case IntegerExpression():
            values = str(expression.interval)
        case TextExpression():
            values = "text"
        case _:
            values = "bytes"
    if expression.nullable:
        values += ", or NULL"
    return "\n".join(
        (
            f"-- {title}: {values}",
            _paragraph(f"/* Spark */ {to_sql(expression.spark(), 'spark')};"),
            _paragraph(f"/* MySQL */ {_mysql(expression)};"),
        )
    )


def _paragraph(sql: str) -> str:
    """A hash that SQL computes by itself has thousands of lines, most of them brackets: it is written without them."""
    if sql.count("\n") < LINES:
        return sql
    assert not any("  " in literal or "\n" in literal for literal in LITERAL.findall(sql)), "it would be changed"
    flat = " ".join(sql.split()).replace("( ", "(").replace(" )", ")")
    if len(flat) > CHARACTERS:
        flat = f"{flat[:400]} ... {len(flat):,} characters, SHA-256 {sha256(flat.encode()).hexdigest()}"
    return "\n".join(wrap(flat, width=118, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False))


def _mysql(expression: Expression) -> str:
    try:
        return to_sql(expression.mysql(), "mysql")
    except NoMysqlForm as reason:
        return f"no form of {reason}"


def _columns_comment() -> str:
    declarations = "\n".join(f"--   {typed.declaration.replace('`', '')}" for typed in TYPED_COLUMNS)
    return f"-- What sharding expressions become. The columns:\n{declarations}"


def _golden() -> str:
    blocks = [_columns_comment()]
    for text in EXPRESSIONS:
        expression = parse_expression(SqlSource(text, Span("golden", 1, 1)), columns=COLUMNS, findings=Findings())
        assert expression is not None, text
        blocks.append(_block(text, expression))
    return "\n\n".join(blocks) + "\n"


def _algorithms() -> str:
    blocks = [_columns_comment()]
    for algorithm, cases in every_option(grid(16, 8)).items():
        for columns, options in cases[:: max(1, len(cases) // 5)]:
            function = function_of(algorithm, *columns, grid=grid(16, 8), options=options)
            written = f" with {json.dumps(dict(options))}" if options else ""
            title = f"{algorithm} of {', '.join(columns)}{written}"
            blocks.append(_block(f"{title}, 16 databases", function.database))
            blocks.append(_block(f"{title}, 8 tables in each", function.table))
    return "\n\n".join(blocks) + "\n"


@pytest.mark.parametrize(("file", "make"), [("expressions.sql", _golden), ("algorithms.sql", _algorithms)])
def test_sql_is_as_in_the_golden_file(file: str, make: Callable[[], str]) -> None:
    made, golden = make(), GOLDEN / file
    if os.environ.get("SHARDWRIGHT_REWRITE") and not os.environ.get("CI"):
        golden.write_text(made, encoding="utf-8")
    assert made == golden.read_text(encoding="utf-8")


def test_columns_are_named_as_the_caller_wants() -> None:
    source = SqlSource("crc32(concat(country, user_id)) % 4", Span("golden", 1, 1))
    expression = parse_expression(source, columns=COLUMNS, findings=Findings())
    assert expression is not None
    assert to_sql(expression.spark(lambda name: column(f"before_{name}", "e")), "spark") == (
        "CRC32(CAST(CONCAT(`e`.`before_country`, CAST(`e`.`before_user_id` AS STRING)) AS BINARY)) % 4"
    )
    assert to_sql(expression.mysql(lambda name: column(name, "s")), "mysql") == (
        "CRC32(CONCAT(CAST(`s`.`country` AS CHAR CHARACTER SET utf8mb4),"
        " CAST(`s`.`user_id` AS CHAR CHARACTER SET utf8mb4))) % 4"
    )
