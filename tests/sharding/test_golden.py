"""The SQL of every operator, in a file that a reviewer can read.

`SHARDWRIGHT_REWRITE=1 pytest tests/sharding/test_golden.py` writes it anew; what changed is the review.
"""

from __future__ import annotations

import os
from pathlib import Path

from shardwright.compiler.expressions.expression import Expression, IntegerExpression, TextExpression
from shardwright.compiler.expressions.leaves import column_expression
from shardwright.compiler.expressions.parse import parse_expression
from shardwright.compiler.sharding.algorithms import ALGORITHMS
from shardwright.compiler.sql_text import column, to_sql
from shardwright.specs.diagnostics import Findings
from shardwright.specs.span import Span
from tests.sharding.typed_columns import COLUMNS, TYPED_COLUMNS

GOLDEN = Path(__file__).parent / "golden" / "expressions.sql"
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
            f"-- {title}",
            f"--   gives {values}",
            f"/* Spark */ {to_sql(expression.spark(), 'spark')};",
            f"/* MySQL */ {to_sql(expression.mysql(), 'mysql')};",
        )
    )


def _columns_comment() -> str:
    declarations = "\n".join(f"--   {typed.declaration.replace('`', '')}" for typed in TYPED_COLUMNS)
    return f"-- What sharding expressions become. The columns:\n{declarations}"


def _golden() -> str:
    blocks = [_columns_comment()]
    for text in EXPRESSIONS:
        expression = parse_expression(text, columns=COLUMNS, span=Span("golden", 1, 1), findings=Findings())
        assert expression is not None, text
        blocks.append(_block(text, expression))
    for algorithm, make in ALGORITHMS.items():
        for name in ("user_id", "big"):
            key = column_expression(COLUMNS[name])
            assert key is not None
            function = make(key, 16, 8)
            blocks.append(_block(f"{algorithm} of {name}, 16 databases: database", function.database))
            blocks.append(_block(f"{algorithm} of {name}, 8 tables in each: table", function.table))
    return "\n\n".join(blocks) + "\n"


def test_sql_is_as_in_the_golden_file() -> None:
    made = _golden()
    if os.environ.get("SHARDWRIGHT_REWRITE") and not os.environ.get("CI"):
        GOLDEN.parent.mkdir(exist_ok=True)
        GOLDEN.write_text(made, encoding="utf-8")
    assert made == GOLDEN.read_text(encoding="utf-8")


def test_columns_are_named_as_the_caller_wants() -> None:
    expression = parse_expression(
        "crc32(concat(country, user_id)) % 4", columns=COLUMNS, span=Span("golden", 1, 1), findings=Findings()
    )
    assert expression is not None
    assert to_sql(expression.spark(lambda name: column(f"before_{name}", "e")), "spark") == (
        "CRC32(CAST(CONCAT(`e`.`before_country`, CAST(`e`.`before_user_id` AS STRING)) AS BINARY)) % 4"
    )
    assert to_sql(expression.mysql(lambda name: column(name, "s")), "mysql") == (
        "CRC32(CONCAT(CAST(`s`.`country` AS CHAR CHARACTER SET utf8mb4),"
        " CAST(`s`.`user_id` AS CHAR CHARACTER SET utf8mb4))) % 4"
    )
