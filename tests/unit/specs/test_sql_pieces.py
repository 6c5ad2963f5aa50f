"""Long texts that were made to take long: whoever reads comments, strings and names of SQL takes time in proportion to
the text. Each took hours when the end of what is not closed was looked for again at every mark; the limit here is far
above
what a
busy machine needs."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from shardwright.compiler.ddl.shape.table_shape import read_create
from shardwright.compiler.schema.names import read_schema_file
from shardwright.compiler.schema.server_clauses import plain_schema
from shardwright.compiler.sql.server_lexer import words_of
from shardwright.runtime.rehearsal.sandbox.script import statements
from shardwright.runtime.sources.binlog.statements import Effect, Statements
from shardwright.specs.files.sql_pieces import pieces
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.suppressions.apply import read_suppressions

SIZE = 600_000
LIMIT = 60.0
UNCLOSED = {
    "comments": "/* ",
    "executed comments": "/*!",
    "comments in a string": "'/* ",
    "quotes behind backslashes": "\\'",
    "double quotes behind backslashes": '\\"',
    "quotes": "`",
}


def many(piece: str, size: int = SIZE) -> str:
    return piece * (size // len(piece))


@pytest.fixture(autouse=True)
def in_time() -> Iterator[None]:
    began = time.monotonic()
    yield
    assert time.monotonic() - began < LIMIT


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a -- b\n'-- c' # d", [("line", "-- b"), ("quoted", "'-- c'"), ("line", "# d")]),
        ("a--b --\n--", [("line", "--"), ("line", "--")]),
        ("/* ' */ '/*' \"it\\\"s\" `a``b`", [("block", "/* ' */"), ("quoted", "'/*'"), ("quoted", '"it\\"s"'), ("quoted", "`a`"), ("quoted", "`b`")]),
        ("'it''s' /*! x */ /*/ */", [("quoted", "'it''s'"), ("block", "/*! x */"), ("block", "/*/ */")]),
        ("x 'a\\", [("quoted", "'a\\")]),
        ("x /* a", [("block", "/* a")]),
        ("x `a", [("quoted", "`a")]),
    ],
)  # fmt: skip
def test_pieces(text: str, found: list[tuple[str, str]]) -> None:
    assert [(piece.lastgroup, piece.group()) for piece in pieces(text)] == found


def test_a_backslash_that_is_a_character_like_others() -> None:
    assert [piece.group() for piece in pieces("'a\\', 'b'", escapes=False)] == ["'a\\'", "'b'"]


@pytest.mark.parametrize("piece", UNCLOSED.values(), ids=UNCLOSED)
@pytest.mark.parametrize("head", ["CREATE PROCEDURE p() SELECT '", "ALTER TABLE orders COMMENT "])
def test_a_statement_of_the_log(head: str, piece: str) -> None:
    judged = Statements([f"shop.orders_{number}" for number in range(500)])
    assert judged.effect("shop", (head + many(piece, 2_000_000) + "'").encode()) is Effect.NONE


@pytest.mark.parametrize(
    "text",
    [
        many("/**/") + "ALTER TABLE x",
        many("/*!1 a*/"),
        "CREATE TABLE x (a int) ENGINE" + many(" ") + "x",
        "CREATE DEFINER=a" + many(" ") + "x",
        "CREATE DEFINER=" + many("a@"),
        "CREATE TABLE x" + many(" ") + "." + many(" ") + "(",
        "CREATE TABLE `" + many("``"),
        "ALTER DATABASE x " + many("UPGRADE "),
        "ANALYZE" + many(" ") + "LOCAL" + many(" "),
        "ALTER TABLE x /*!" + many("5") + "*/ " + many("orders "),
        "ALTER TABLE x '" + many("\xff") + "'",
    ],
    ids=lambda text: text[:24].strip(),
)
def test_other_statements_of_the_log(text: str) -> None:
    judged = Statements([f"shop.orders_{number}" for number in range(500)])
    assert judged.effect("shop", text.encode()) is Effect.NONE


@pytest.mark.parametrize("piece", [*UNCLOSED.values(), "-- x\n", "#\n", "/**/"])
def test_suppressions(piece: str) -> None:
    findings = Findings()
    read_suppressions(many(piece) + "\n-- shardwright", "schema.sql", findings)


@pytest.mark.parametrize("piece", [*UNCLOSED.values(), "/*!1 x*/ ", "/**/"])
def test_words_of_a_server(piece: str) -> None:
    text = "CREATE TABLE t (a int " + many(piece, SIZE // 2)
    plain_schema(text)
    assert next(iter(words_of(text))).upper == "CREATE"
    assert read_create(text) is None


@pytest.mark.parametrize("piece", [*UNCLOSED.values(), "/*!1 x*/ ", "/*!1 x*/;", "-- x\n"])
def test_a_schema_file(piece: str) -> None:
    """Smaller: each statement and each finding takes its time."""
    findings = Findings()
    text = "CREATE TABLE t (a int) " + many(piece, SIZE // 4)
    read_schema_file(text, file="schema.sql", findings=findings, matters=lambda name: name == "other")


@pytest.mark.parametrize("piece", [*UNCLOSED.values(), "-- x\n", "/**/"])
def test_a_script(piece: str) -> None:
    assert len(list(statements("SELECT 1;" + many(piece, SIZE // 4)))) <= 2
