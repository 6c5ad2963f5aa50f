"""Clauses are found by words: what a name, a string or a comment says is none."""

from __future__ import annotations

import pytest

from shardwright.compiler.schema.file import read_schema
from shardwright.compiler.schema.server_clauses import plain_schema
from shardwright.specs.findings.diagnostics import Findings
from tests.compiler.hostile_names import COLUMNS

WORDS = (
    "IGNORED",
    "COMPRESSED",
    "PARTITION BY HASH (id)",
    "CHECKSUM=1",
    "/*!80023 INVISIBLE */",
    "WITH SYSTEM VERSIONING",
)


@pytest.mark.parametrize("word", WORDS)
def test_words_within_texts_are_left(word: str) -> None:
    text = (
        f"CREATE TABLE `t {word.replace('`', '')}` (\n  `id` int NOT NULL COMMENT 'it''s {word}; `',\n"
        f"  `{word}` varchar(99) DEFAULT '{word}\\'',\n  PRIMARY KEY (`id`), KEY `{word}` (`{word}`)\n"
        f") ENGINE=InnoDB COMMENT='{word}' DEFAULT CHARSET=utf8mb4 -- {word}\n;\n"
    )
    plain = plain_schema(text)
    assert plain.text == text
    assert not any(item.left_out or item.refused or item.opaque for item in plain.clauses)


@pytest.mark.parametrize("name", COLUMNS)
def test_hostile_names_keep_their_clauses_apart(name: str) -> None:
    quoted = f"`{name.replace('`', '``')}`"
    text = (
        f"CREATE TABLE `t` (`id` int NOT NULL, {quoted} xmltype DEFAULT NULL, `c` text /*M!100301 COMPRESSED*/ DEFAULT NULL,\n"
        f"KEY {quoted} (`id`) IGNORED) DEFAULT CHARSET=utf8mb4\n PARTITION BY HASH ({quoted}) PARTITIONS 2;\n"
    )
    plain = plain_schema(text)
    assert len(plain.text) == len(text)
    (clauses,) = plain.clauses
    assert clauses.left_out == ["COMPRESSED of column 'c'", f"IGNORED of key '{name}'", "PARTITION BY"]
    assert list(clauses.opaque.values()) == ["XMLTYPE"]


def test_c30_what_cannot_be_copied_is_read_and_counted() -> None:
    text = (
        "CREATE TABLE `t` (`a` inet6 NOT NULL DEFAULT '::1', `id` int NOT NULL, `b` vector(3) NOT NULL, `c` xmltype,\n"
        "  `d` uuid DEFAULT uuid(), `e` int, PRIMARY KEY (`id`), VECTOR KEY `v` (`b`) `M`=6) DEFAULT CHARSET=utf8mb4;"
    )
    findings = Findings()
    table = read_schema(text, file="schema.sql", findings=findings)["t"]
    assert findings.items == []
    assert [(column.name, column.type.name, bool(column.unreadable)) for column in table.columns] == [
        ("a", "inet6", False),
        ("id", "int", False),
        ("b", "vector", False),
        ("c", "xmltype", True),
        ("d", "uuid", False),
        ("e", "int", False),
    ]
    assert (table.columns[2].type.length, table.columns[2].nullable, table.columns[0].nullable) == (3, False, False)
    assert table.left_out == ("VECTOR KEY 'v'",)


@pytest.mark.parametrize(
    ("clauses", "options", "refused"),
    [
        ("", "WITH SYSTEM VERSIONING", ["WITH SYSTEM VERSIONING"]),
        (
            ", `s` timestamp(6) GENERATED ALWAYS AS ROW START, `e` timestamp(6) GENERATED ALWAYS AS ROW END"
            ", PERIOD FOR SYSTEM_TIME (`s`, `e`)",
            "",
            [
                "GENERATED ALWAYS AS ROW START of column 's'",
                "GENERATED ALWAYS AS ROW END of column 'e'",
                "PERIOD FOR SYSTEM_TIME",
            ],
        ),
        (
            ", `s` date, `e` date, PERIOD FOR `p` (`s`, `e`), PRIMARY KEY (`id`, `p` WITHOUT OVERLAPS)",
            "",
            ["PRIMARY KEY ... WITHOUT OVERLAPS"],
        ),
    ],
)
def test_clauses_that_make_another_kind_of_table(clauses: str, options: str, refused: list[str]) -> None:
    findings = Findings()
    text = f"CREATE TABLE `t` (`id` int NOT NULL{clauses}) DEFAULT CHARSET=utf8mb4 {options};"
    assert list(read_schema(text, file="schema.sql", findings=findings)["t"].refused) == refused
    assert findings.items == []


@pytest.mark.parametrize(
    ("element", "left_out", "columns"),
    [
        ("`g` int GENERATED ALWAYS AS (ifnull(`a`,0)) STORED", "generated column 'g'", [("g", True)]),
        ("`g` int DEFAULT (to_days(now()))", "DEFAULT of column 'g'", [("g", False)]),
        ("`g` int, CONSTRAINT `c` CHECK (isnull(`a`))", "CHECK 'c'", [("g", False)]),
        ("`g` int CHECK (isnull(`g`))", "CHECK of column 'g'", [("g", False)]),
        ("`g` int, KEY `k` ((ifnull(`a`,0)))", "KEY 'k'", [("g", False)]),
    ],
)
def test_an_expression_that_is_not_understood_is_left_out(
    element: str, left_out: str, columns: list[tuple[str, bool]]
) -> None:
    findings = Findings()
    text = f"CREATE TABLE `t` (`id` int NOT NULL, `a` int, {element}, PRIMARY KEY (`id`)) DEFAULT CHARSET=utf8mb4;"
    table = read_schema(text, file="schema.sql", findings=findings)["t"]
    assert findings.items == []
    assert table.left_out == (f"{left_out}, whose expression is not understood",)
    assert [(column.name, bool(column.unreadable)) for column in table.columns[2:]] == columns


def test_what_a_hand_wrote_wrongly_is_still_an_error() -> None:
    findings = Findings()
    text = "CREATE TABLE t (id int PRIMARY KEY, period int, vector int, n varchar(9) NOT NUL DEFAULT (isnull(1)));"
    assert read_schema(text, file="schema.sql", findings=findings) == {}
    assert [item.code for item in findings.items] == ["SW4102"]
