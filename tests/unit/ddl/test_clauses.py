"""What is read of each clause of an ALTER TABLE, and what it answers."""

from __future__ import annotations

import pytest

from shardwright.compiler.ddl.alter.clause import Clause, Unread
from shardwright.compiler.ddl.alter.effects import effects_of
from shardwright.compiler.ddl.alter.options import Option
from shardwright.compiler.ddl.alter.read import AlterTable, parse_alter


def read(clauses: str) -> AlterTable:
    alter = parse_alter(f"ALTER TABLE t {clauses}")
    assert alter is not None
    return alter


def only(text: str) -> Clause:
    (clause,) = read(text).clauses
    return clause


EACH = [
    ("ADD COLUMN a INT", "AddColumn", "+column a", "column a"),
    ("MODIFY A INT", "ModifyColumn", "", "column a"),
    ("CHANGE a B INT", "ModifyColumn", "-column a +column B", "column a, column b"),
    ("RENAME COLUMN a TO b", "RenameColumn", "-column a +column b", "column a, column b"),
    ("RENAME COLUMN a TO A", "RenameColumn", "", "column a"),
    ("ALTER COLUMN a SET DEFAULT 4", "AlterColumn", "", "column a"),
    ("ALTER a SET INVISIBLE", "AlterColumn", "", "column a"),
    ("DROP COLUMN a", "DropColumn", "-column a", "column a"),
    ("ADD PRIMARY KEY (a)", "AddPrimaryKey", "+index PRIMARY", "index primary"),
    ("ADD INDEX i (a)", "AddIndex", "+index i", "index i"),
    ("ADD CONSTRAINT u UNIQUE (a)", "AddUnique", "+index u", "index u"),
    ("ADD CONSTRAINT u UNIQUE v (a)", "AddUnique", "+index v", "index v"),
    ("ADD CONSTRAINT c CHECK (a > 1)", "AddCheck", "+check c", "check c"),
    ("ADD CHECK (a > 1)", "AddCheck", "", ""),
    ("ADD CONSTRAINT f FOREIGN KEY (a) REFERENCES o (b)", "AddForeignKey", "", ""),
    ("DROP PRIMARY KEY", "DropPrimaryKey", "-index PRIMARY", "index primary"),
    ("DROP INDEX i", "DropIndex", "-index i", "index i"),
    ("DROP CONSTRAINT c", "DropCheck", "-check c", "check c"),
    ("DROP FOREIGN KEY f", "DropForeignKey", "", ""),
    ("RENAME INDEX i TO j", "RenameIndex", "-index i", "index i, index j"),
    ("ALTER INDEX i INVISIBLE", "AlterIndex", "", ""),
    ("CONVERT TO CHARACTER SET utf8mb4", "Convert", "", ""),
    ("FORCE", "Rebuild", "", ""),
    ("ADD PARTITION (PARTITION p VALUES LESS THAN (9))", "Partitions", "", ""),
    ("COMMENT='x'", "RoutedOption", "", ""),
    ("CHARACTER SET latin1", "DefaultSet", "", ""),
    ("ALGORITHM=INSTANT", "Manner", "", ""),
    ("AUTO_INCREMENT=4", "Option", "", ""),
    ("ALTER COLUMN a TYPE INT", "Unread", "", ""),
    ("ADD UNIQUE without_columns", "Unread", "", ""),
]


@pytest.mark.parametrize(("text", "kind", "effects", "names"), EACH)
def test_each_clause_is_one_class(text: str, kind: str, effects: str, names: str) -> None:
    clause = only(text)
    assert type(clause).__name__ == kind
    assert " ".join(f"{'+' if e.present else '-'}{e.kind} {e.name}" for e in clause.effects()) == effects
    assert ", ".join(sorted(f"{of} {name}" for of, name in clause.names())) == names


def test_every_class_is_read_from_a_statement() -> None:
    """The table above has one statement for each."""

    def below(kind: type[Clause]) -> set[str]:
        return {kind.__name__}.union(*(below(other) for other in kind.__subclasses__()))

    families = {"Clause", "AddKey", "Change", "Drop", "_AcceptedOption", "_ChangeColumn"}
    assert below(Clause) - families == {kind for _, kind, _, _ in EACH}


def test_a_statement_is_printed_from_its_clauses() -> None:
    text = "ALTER TABLE t ADD COLUMN a INT, DROP INDEX i, LOCK=NONE"
    alter = read("ADD COLUMN a INT, DROP INDEX i, LOCK=NONE")
    assert alter.with_clauses(alter.clauses).tree.sql("mysql") == alter.tree.sql("mysql") == text


def test_what_is_not_understood_leaves_no_name_behind() -> None:
    assert effects_of("ALTER TABLE t ALTER COLUMN a TYPE INT") == ()
    assert not isinstance(only("ENGINE=InnoDB"), Unread) and type(only("ENGINE=MyISAM")) is Option
