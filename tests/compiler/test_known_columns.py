"""A schema file reads as its tables read alone: what columns share is parsed once, and nothing comes of it but
speed."""

from __future__ import annotations

from pathlib import Path

from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.compiler.schema.file import read_schema
from shardwright.specs.findings.diagnostics import Findings
from tests.bench.compile.project import write_project


def _read(text: str) -> tuple[dict[str, SourceTable], Findings]:
    findings = Findings()
    return dict(read_schema(text, file="schema.sql", findings=findings)), findings


def test_as_each_alone(tmp_path: Path) -> None:
    text = write_project(tmp_path, tables=25)
    together, findings = _read(text)
    assert not findings.items
    assert len(together) == 25
    start = 0
    for create in text.split(";\n")[:-1]:
        ((name, alone),) = _read("\n" * text.count("\n", 0, start) + create + ";\n")[0].items()
        found = together[name]
        assert found.statement.sql("mysql") == alone.statement.sql("mysql") and found.span == alone.span
        assert (found.columns, found.primary_key, found.unique_keys) == (
            alone.columns,
            alone.primary_key,
            alone.unique_keys,
        )
        assert found.column_spans == alone.column_spans
        start += len(create) + 2


def test_comments_names_and_defaults_stay_their_own() -> None:
    one = "`{}` VARCHAR(10) NOT NULL DEFAULT 'x' COMMENT '{}'"
    text = "".join(
        f"CREATE TABLE t{n} (`id` INT NOT NULL, {one.format(f'a{n}', f'no. {n}')}, {one.format('b', 'c, d')},"
        f" PRIMARY KEY (`id`)) DEFAULT CHARSET=utf8mb4 COLLATE={collation};\n"
        for n, collation in enumerate(("utf8mb4_bin", "utf8mb4_general_ci", "utf8mb4_bin"))
    )
    tables, findings = _read(text)
    assert not findings.items
    for n, collation in enumerate(("utf8mb4_bin", "utf8mb4_general_ci", "utf8mb4_bin")):
        table = tables[f"t{n}"]
        assert [column.name for column in table.columns] == ["id", f"a{n}", "b"]
        assert {column.type.collation for column in table.columns[1:]} == {collation}
        assert f"`a{n}` VARCHAR(10) NOT NULL DEFAULT 'x' COMMENT 'no. {n}'" in table.statement.sql("mysql")


def test_a_fault_in_a_later_table_is_found_at_its_place() -> None:
    """The columns before it were left out when it was parsed."""
    good = "CREATE TABLE a (`id` INT NOT NULL, `b` INT NOT NULL, PRIMARY KEY (`id`));\n"
    bad = "CREATE TABLE c (`id` INT NOT NULL,\n `d` REAL NOT NULL, PRIMARY KEY (`id`));\n"
    tables, findings = _read(good + bad)
    assert list(tables) == ["a"]
    assert [(item.code, item.span.line) for item in findings.items] == [("SW4107", 3)]
