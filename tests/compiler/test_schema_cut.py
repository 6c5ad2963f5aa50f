"""A schema file reads alike through the regular expressions and through the tokenizer as a whole, also when it is
spoiled.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sqlglot import exp
from sqlglot.errors import TokenError

from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.compiler.schema import statements as schema_statements
from shardwright.compiler.schema.cut import Uncertain, cut
from shardwright.compiler.schema.file import catalogue_of, is_readable, read_schema
from shardwright.compiler.schema.server_clauses import PlainSchema, plain_schema
from shardwright.compiler.schema.statements import parse_create, whole_statements
from shardwright.compiler.schema.triggers import read_triggers
from shardwright.compiler.sql.sql_tokens import part_tokens
from shardwright.specs.findings.diagnostics import Diagnostic, Findings

_NAMES = st.sampled_from(
    ["id", "a_1", "größe", "b c", "x.y", "${x}", "it's", "semi;colon", "-- no", "br(acket", "new\nline"]
)
_TYPES = st.sampled_from(
    [
        "int(11) NOT NULL",
        "BIGINT UNSIGNED NOT NULL AUTO_INCREMENT",
        "decimal(10,2) DEFAULT -0.5",
        "varchar(20) DEFAULT 'it''s; (\"a\",`b`) \\' -- no'",
        'char(2) DEFAULT "x\'y"',
        "enum('a','b)','c') COLLATE utf8mb4_bin NOT NULL DEFAULT 'a'",
        "bit(3) DEFAULT b'101'",
        "varbinary(4) DEFAULT x'00ff'",
        "timestamp(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3)",
        "int AS (`id` * (2 - 1)) STORED",
        "int CHECK (`id` > 0)",
        "REAL NOT NULL",
        "int8",
        "point",
        "int PRIMARY KEY",
        "int REFERENCES `other` (`id`)",
        "nonsense of words",
        "int DEFAULT 'open",
        "varchar(9) DEFAULT x'zz'",
        "int /* note, here */ NOT NULL",
        "int NOT NULL -- note; here\n",
        "int /*!80023 INVISIBLE */",
    ]
)
_COMMENTS = st.sampled_from(
    ["", "", " COMMENT 'plain'", " COMMENT 'it''s'", " comment 'a, b; (c'", ' COMMENT "two"', " COMMENT ' COMMENT '"]
)
_KEYS = st.sampled_from(
    [
        "PRIMARY KEY (`id`)",
        "KEY `k` (`id`,`a_1`)",
        "KEY `other` (`x.y`,`id`)",
        "KEY `größe` (`id`,`${x}`)",
        "UNIQUE KEY `v` (`id`) USING BTREE",
        "CONSTRAINT `g` FOREIGN KEY (`a_1`) REFERENCES `s` (`id`) ON DELETE CASCADE",
        "UNIQUE KEY `u` (`a_1`) USING BTREE",
        "KEY `p` (`a_1`(10))",
        "CONSTRAINT `f` FOREIGN KEY (`id`) REFERENCES `t` (`id`) ON DELETE CASCADE",
        "CONSTRAINT `c` CHECK (`id` REGEXP '^a')",
        "FULLTEXT KEY `k` (`a_1`)",
        "",
    ]
)
_ENDS = st.sampled_from(
    [
        "",
        " ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin",
        " DEFAULT CHARSET=latin1",
        " AUTO_INCREMENT=7 DEFAULT CHARSET=latin1 COMMENT='a'",
        " AUTO_INCREMENT=12 DEFAULT CHARSET=latin1 COMMENT='b, or (c)'",
        " AUTO_INCREMENT=7 DEFAULT CHARSET=latin1 COMMENT='7' -- COMMENT='x'",
        " ENGINE=InnoDB COMMENT='a; `b`' AUTO_INCREMENT=7 -- last",
        " PARTITION BY HASH (`id`) PARTITIONS 4",
    ]
)
_BETWEEN = st.sampled_from([";\n", ";", "; -- after\n-- before\n", ";\n# `x;\n", ";;\n/* ; */ ", "\n"])
_OTHERS = st.sampled_from(
    [
        "DROP TABLE `a`",
        "DELIMITER ;;\nCREATE TRIGGER `g` BEFORE UPDATE ON `t` FOR EACH ROW\nBEGIN\n SET NEW.a = 1; SET NEW.b = 'x;';\nEND;;\nDELIMITER ;",
        "CREATE DEFINER=`root`@`%` TRIGGER g AFTER INSERT ON t FOR EACH ROW INSERT INTO log VALUES (1)",
        "CREATE TRIGGER g AFTER INSERT ON t FOR EACH ROW BEGIN SET @a = 1",
        "DELIMITER ;;",
        "DROP TRIGGER g",
        "SHOW TABLES",
        "RENAME TABLE `a` TO `b`",
        "SET NAMES utf8mb4",
        "CREATE TABLE plain (id int PRIMARY KEY, `a` int NOT NULL)",
        "CREATE TABLE `like_it` LIKE `t`",
        "{# ; #}",
    ]
)


@st.composite
def _tables(draw: st.DrawFn) -> str:
    columns = [f"`{draw(_NAMES)}` {draw(_TYPES)}{draw(_COMMENTS)}" for _ in range(draw(st.integers(1, 4)))]
    elements = columns + draw(st.lists(_KEYS, max_size=2))
    there = draw(st.sampled_from(["", "IF NOT EXISTS "]))
    between = draw(st.sampled_from([", ", ",\n  "]))
    return (
        f"CREATE TABLE {there}`{draw(_NAMES)}_{draw(st.integers(0, 9))}` (\n  {between.join(elements)}\n){draw(_ENDS)}"
    )


@st.composite
def _texts(draw: st.DrawFn) -> str:
    parts = draw(st.lists(st.one_of(_tables(), _tables(), _tables(), _OTHERS), min_size=1, max_size=5))
    text = "".join(part + draw(_BETWEEN) for part in parts)
    for _ in range(draw(st.sampled_from([0, 0, 1, 2]))):
        at = draw(st.integers(0, len(text)))
        text = (
            text[:at]
            + draw(st.sampled_from(["'", "`", '"', ")", "(", ",", ";", "\\", "-- ", "#", "/*", "*/", "\r", ""]))
            + text[at + 1 :]
        )
    return text


def _places(table: SourceTable) -> list[tuple[str, object]]:
    """Of every name outside of column definitions: columns share nodes, which have no place."""
    statement = table.statement
    parts = [part for part in statement.this.expressions if not isinstance(part, exp.ColumnDef)]
    parts += [statement.this.this, *filter(None, [statement.args.get("properties")])]
    return [(name.name, name.meta.get("start")) for part in parts for name in part.find_all(exp.Identifier)]


def _of_whole(plain: PlainSchema) -> list[Diagnostic]:
    found = Findings()
    list(whole_statements(plain.text, file="schema.sql", findings=found))
    return found.items


@settings(max_examples=300, deadline=None)
@given(_texts())
@example("CREATE TABLE `a` (`b` int,);CREATE TABLE `c` (`d` int")
@example("CREATE TABLE `a` (\n `b` int NOT NULL,\n `c` int NOT NULL,\n `d` nonsense of words);")
@example("CREATE TABLE `a` (`b` int, `c` char(20), KEY `p` (`c`(10))');")
@example("RENAME-- TABLE `a` TO `b`;;\n/* ; */ ")
@example("CREATE TABLE `a` (\n `b` int NOT NULL,\n UNIQUE KEY `v`-- (`b`)\n);")
@example("CREATE TABLE `a` (\n `b` int NOT NULL,\n UNIQUE KEY-- `v` (`b`)\n);")
@example(
    "CREATE TRIGGER `g` BEFORE UPDATE ON `t` FOR EACH ROW SET @a = 1;\nCREATE TABLE `a` (\n  `b` int NOT NULL\n)"
    " PARTITION BY HASH (`b`) PARTITIONS 4\nCREATE TABLE `c` (\n  `d` varchar(9) DEFAULT x'zz'\n);\n"
)
def test_both_ways_agree(text: str) -> None:
    found, whole = Findings(), Findings()
    tables = read_schema(text, file="schema.sql", findings=found)
    plain = plain_schema(text)
    whole_text = plain_schema(text, is_readable)
    if whole_text.text != plain.text and any(item.code in ("SW4102", "SW4107") for item in _of_whole(plain)):
        plain = whole_text
    expected = catalogue_of(
        whole_statements(plain.text, file="schema.sql", findings=whole), plain, file="schema.sql", findings=whole
    )
    assert found.items == whole.items
    assert list(tables) == list(expected)
    for name, table in tables.items():
        assert table == expected[name]
        assert table.statement.sql("mysql") == expected[name].statement.sql("mysql")
        assert _places(table) == _places(expected[name])
    if any("is not closed" in item.message for item in found.items):
        return
    alone = text + "\n{# #}"  # a comment to sqlglot, and nothing that could be cut
    with pytest.raises(Uncertain):
        cut(alone)
    try:
        part_tokens(alone, [(0, len(alone))])
    except TokenError:  # in what is cut off before tables are read, as a PARTITION BY and all behind it
        assert read_triggers(alone, file="schema.sql") == ()
        return
    assert read_triggers(text, file="schema.sql") == read_triggers(alone, file="schema.sql")


def test_what_is_cut() -> None:
    """Tables apart, other statements together; `opening` is where the elements begin."""
    text = "-- a; b\nCREATE TABLE `t` (a int);\nDROP TABLE `;`;\nSET x = ';';CREATE TABLE IF NOT EXISTS u(b int)"
    regions = cut(text)
    assert [text[region.start : region.end] for region in regions] == [
        "-- a; b\nCREATE TABLE `t` (a int);",
        ";\nDROP TABLE `;`;\nSET x = ';';",
        ";CREATE TABLE IF NOT EXISTS u(b int)",
    ]
    assert [region.opening and text[region.opening :][:5] for region in regions] == ["a int", None, "b int"]


def test_what_is_known_is_not_parsed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is any table of an ordinary file read whole: that takes ten times as long."""
    parsed = 0

    def count_parse(*arguments: Any, **options: Any) -> exp.Create | None:
        nonlocal parsed
        parsed += 1
        return parse_create(*arguments, **options)

    monkeypatch.setattr(schema_statements, "parse_create", count_parse)
    monkeypatch.delattr(schema_statements, "read_statement")
    columns = "`{0}_id` bigint NOT NULL,\n  `{0}_note` varchar(9) NOT NULL DEFAULT '',\n  PRIMARY KEY (`{0}_id`)"
    text = "".join(f"CREATE TABLE `{name}` (\n  {columns.format(name)}\n) ENGINE=InnoDB;\n" for name in "abcdef")

    assert list(read_schema(text, file="schema.sql", findings=Findings())) == list("abcdef")
    assert parsed == 1
