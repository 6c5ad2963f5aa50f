"""The schema file: what servers print is read, what would silently change is refused by name."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from shardwright.compiler.schema.file import read_schema
from shardwright.specs.findings.diagnostics import Diagnostic, Findings
from tests.servers.testbed import Arena

TABLES = Path(__file__).parents[1] / "ddl" / "tables"
_SERVER_FORMS = """
CREATE TABLE forms (
  id int unsigned zerofill NOT NULL AUTO_INCREMENT COMMENT 'it''s /*!80000 a */ "key"; --',
  flag bool DEFAULT true,
  ratio real DEFAULT 1e-3,
  amount numeric(10, 3) NOT NULL DEFAULT -0.5,
  label varchar(20) CHARACTER SET latin1 COLLATE latin1_bin DEFAULT 'a;b',
  state set('a','b''c') DEFAULT 'a',
  bits bit(3) DEFAULT b'101',
  born date DEFAULT '2000-01-01',
  stamp timestamp(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3),
  moment datetime DEFAULT NOW(),
  total decimal(12,3) GENERATED ALWAYS AS (amount * 2) STORED,
  half decimal(12,3) AS (amount / 2) VIRTUAL,
  payload longblob,
  parent int unsigned,
  PRIMARY KEY (id),
  UNIQUE KEY label (label, born),
  KEY partial (payload(10)) USING BTREE COMMENT 'x',
  CONSTRAINT positive CHECK (amount > -1 AND label <> ''),
  CONSTRAINT parents FOREIGN KEY (parent) REFERENCES forms (id) ON DELETE CASCADE
) ENGINE=InnoDB AUTO_INCREMENT=7 DEFAULT CHARSET=utf8mb4 ROW_FORMAT=DYNAMIC COMMENT='forms; and "more"'
"""


@pytest.mark.server
def test_what_the_server_prints_is_read(arena: Arena) -> None:
    """SHOW CREATE TABLE of every clause that the DDL tests carry over, and of some more."""
    arena.source.query("CREATE DATABASE forms")
    arena.source.run_script(_SERVER_FORMS, database="forms")
    if arena.source.sandbox.kind == "mariadb":  # the DDL tests' tables are MariaDB's
        for file in sorted(TABLES.glob("*.sql")):
            arena.source.run_script(file, database="forms")
    names = [row[0] for row in arena.source.query("SHOW TABLES", database="forms")]
    assert names
    for name in names:
        ((_, create),) = arena.source.query(f"SHOW CREATE TABLE `{name}`", database="forms")
        tables, findings = _read(create + ";\n")
        assert [item.message for item in findings] == []
        columns = arena.source.query(
            "SELECT column_name FROM information_schema.columns WHERE table_schema = 'forms' AND table_name = %s "
            "ORDER BY ordinal_position",
            (name,),
        )
        assert tables[name] == [row[0] for row in columns]


def test_words_that_change() -> None:
    clause, words = "n int8", "'INT8' would become 'TINYINT'"
    _, findings = _read(f"CREATE TABLE t (id int PRIMARY KEY, {clause});")
    assert [(item.code, words in item.message) for item in findings] == [("SW4107", True)], findings


def test_version_comments_in_texts_are_texts() -> None:
    text = "CREATE TABLE t (id int PRIMARY KEY, a varchar(30) DEFAULT '/*!80000 x */' COMMENT \"/*M!1 y */\"); -- /*! no */"
    assert _read(text) == ({"t": ["id", "a"]}, ())


@pytest.mark.parametrize("comment", ["/*!80023 UNHEARD OF */", "/*M!100100 UNHEARD OF */", "/*! UNHEARD OF */"])
def test_tables_with_version_comments_are_refused(comment: str) -> None:
    text = f"CREATE TABLE s (id int PRIMARY KEY);\nCREATE TABLE t (id int PRIMARY KEY, a int {comment});"
    tables, (finding,) = _read(text)
    assert tables == {"s": ["id"]}
    assert (finding.code, finding.span.line, finding.span.column) == ("SW4101", 2, 43)


def test_version_comments_between_statements_are_reported_once() -> None:
    text = (
        "/*!40101 SET a */;\n/*!40101 SET b */;\nCREATE TABLE t (id int PRIMARY KEY /*!1 x */) /*!50100 PARTITION */;"
    )
    tables, findings = _read(text)
    assert tables == {}
    assert [(item.code, item.span.line) for item in findings] == [("SW4101", 3), ("SW4101", 3), ("SW4101", 1)]


@pytest.mark.parametrize(
    "table",
    [
        "(id int) DEFAULT ENGINE=InnoDB",
        "(id int) x=``",
        "(id int IN)",
        f"(id int, PRIMARY KEY ({'(' * 900}id{')' * 900}))",
    ],
)
def test_what_the_parser_itself_fails_at_is_reported(table: str) -> None:
    tables, findings = _read(f"CREATE TABLE a (id int);\nCREATE TABLE b {table};")
    assert list(tables) == ["a"]
    assert [(item.code, item.span.line) for item in findings] == [("SW4102", 2)]


@pytest.mark.parametrize("word", ["null", "true", "FALSE"])
def test_a_reserved_word_that_names_a_column_is_reported(word: str) -> None:
    tables, findings = _read(
        f"CREATE TABLE t (id int NOT NULL, {word} int NOT NULL, PRIMARY KEY (id));\nCREATE TABLE u (id int PRIMARY KEY);"
    )
    assert list(tables) == ["u"]
    assert [(item.code, f"write `{word.lower()}`" in item.message) for item in findings] == [("SW4102", True)]


def test_every_finding_of_the_file_at_once() -> None:
    text = "DROP TABLE a;\nCREATE TABLE b (id int,;\nCREATE TABLE c (`${x}` int PRIMARY KEY);\nCREATE TABLE d (id int);"
    tables, findings = _read(text)
    assert list(tables) == ["d"]
    assert [(item.code, item.span.line) for item in findings] == [("SW4103", 1), ("SW4102", 2), ("SW2116", 3)]


def test_the_parser_says_nothing_itself(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        _, findings = _read("CREATE TABLE t (a flower);\nRENAME TABLE a TO b;")
    assert caplog.records == []
    assert len(findings) == 2


def _read(text: str) -> tuple[dict[str, list[str]], tuple[Diagnostic, ...]]:
    findings = Findings()
    tables = read_schema(text, file="schema.sql", findings=findings)
    return {name: [column.name for column in table.columns] for name, table in tables.items()}, tuple(findings.items)
