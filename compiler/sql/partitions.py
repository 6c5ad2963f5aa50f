"""`PARTITION BY`, and the partitions that an ALTER TABLE names, as both servers write them. sqlglot knows a part of it
only, so it is read by words, to the last one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.sql.partition_values import ValueReader
from shardwright.compiler.sql.server_lexer import Word
from shardwright.compiler.sql.word_reader import plain_words, quote_name

_PLACE = "clone"
"""sqlglot's tree has no place for the clause. What it prints last of a CREATE is this, which MySQL has not."""


@dataclass(frozen=True, slots=True)
class Partitions:
    """`text` is the clause as it is printed here. `columns` are those by which rows are divided, as they were written;
    `by_key`: the clause names none and means those of the primary key. `left_out` are the clauses of single partitions
    that say where the server keeps them: `text` goes without."""

    text: str
    columns: tuple[str, ...]
    by_key: bool
    left_out: tuple[str, ...]


_OPTIONS = frozenset({"ENGINE", "COMMENT", "MAX_ROWS", "MIN_ROWS", "DATA", "INDEX", "TABLESPACE", "NODEGROUP"})
_CHANGES = frozenset({"ADD", "REORGANIZE", "COALESCE", "REBUILD", "ANALYZE", "CHECK", "OPTIMIZE"})


@dataclass(frozen=True, slots=True)
class PartitionChange:
    """`words` name what an ALTER TABLE does to partitions; `text` is all of it. `defined`: it says which rows the new
    partitions take, `by_list` by listed values."""

    words: str
    text: str
    defined: bool = False
    by_list: bool = False


def read_change(text: str) -> PartitionChange:
    """`text` is what stands behind the table's name in an ALTER TABLE. Raises NotRead."""
    reader = PartitionReader(plain_words(text))
    change = reader.change()
    reader.end()
    return change


def read_partitions(text: str, name_of: Callable[[str], str] = str) -> Partitions:
    """`text` begins with PARTITION BY and holds nothing else; `name_of` gives each column its name in the result.
    Raises NotRead."""
    reader = PartitionReader(plain_words(text), name_of)
    clause = reader.clause()
    reader.end()
    return Partitions(clause, tuple(dict.fromkeys(reader.columns)), reader.by_key, tuple(reader.left_out))


def partitions_of(create: exp.Create) -> str:
    """The clause of a CREATE TABLE that `parse_tokens` has read; empty where it has none."""
    clause = create.args.get(_PLACE)
    return str(clause.name) if isinstance(clause, exp.Var) else ""


def set_partitions(create: exp.Create, clause: str) -> None:
    create.set(_PLACE, exp.Var(this=clause))


class PartitionReader(ValueReader):
    """Reads a PARTITION BY, or a clause of an ALTER TABLE. `by_list`: a partition takes listed values."""

    def __init__(self, words: Sequence[Word], name_of: Callable[[str], str] = str) -> None:
        super().__init__(words, name_of)
        self.by_key = False
        self.by_list = False
        self.left_out: list[str] = []

    def clause(self) -> str:
        self.need("PARTITION", "BY")
        said = f"PARTITION BY {self._by(of_table=True)}"
        if self.took("PARTITIONS"):
            said += f" PARTITIONS {self.number()}"
        if self.took("SUBPARTITION", "BY"):
            said += f" SUBPARTITION BY {self._by(of_table=False)}"
            if self.took("SUBPARTITIONS"):
                said += f" SUBPARTITIONS {self.number()}"
        return f"{said} {self.definitions()}" if self.next_is("(") else said

    def _by(self, *, of_table: bool) -> str:
        linear = "LINEAR " if self.took("LINEAR") else ""
        if self.took("HASH"):
            return f"{linear}HASH {self.expression()}"
        if self.took("KEY"):
            return f"{linear}KEY {self._algorithm()}({self._key_columns()})"
        if linear or not of_table or not (self.next_is("RANGE") or self.next_is("LIST")):
            self.fail()
        kind = self.word()
        return f"{kind} COLUMNS {self.column_list()}" if self.took("COLUMNS") else f"{kind} {self.expression()}"

    def _algorithm(self) -> str:
        if not self.took("ALGORITHM"):
            return ""
        self.took("=")
        return f"ALGORITHM = {self.number()} "

    def _key_columns(self) -> str:
        self.need("(")
        if self.took(")"):
            self.by_key = True
            return ""
        said = ", ".join(self.read_list(self.column))
        self.need(")")
        return said

    def change(self) -> PartitionChange:
        """The clause of an ALTER TABLE about partitions that keeps every row of the table, or may (`by_list`)."""
        if self.next_is("PARTITION", "BY"):
            return PartitionChange("PARTITION BY", self.clause())
        if self.took("REMOVE", "PARTITIONING"):
            return PartitionChange("REMOVE PARTITIONING", "REMOVE PARTITIONING")
        verb = self.next_that(lambda word: word.upper in _CHANGES).upper
        self.need("PARTITION")
        said = f"{verb} PARTITION"
        if verb == "ADD" and self.took("IF", "NOT", "EXISTS"):
            said += " IF NOT EXISTS"
        if not self.took("NO_WRITE_TO_BINLOG"):
            self.took("LOCAL")
        defined = verb == "ADD" and self.next_is("(")
        if defined:
            said += f" {self.definitions()}"
        elif verb == "ADD":
            self.need("PARTITIONS")
            said += f" PARTITIONS {self.number()}"
        elif verb == "COALESCE":
            said += f" {self.number()}"
        elif verb != "REORGANIZE":
            said += " ALL" if self.took("ALL") else f" {self.names()}"
        elif self.next_word is not None:
            said += f" {self.names()} INTO"
            self.need("INTO")
            said += f" {self.definitions()}"
            defined = True
        return PartitionChange(f"{verb} PARTITION", said, defined=defined, by_list=self.by_list)

    def definitions(self) -> str:
        self.need("(")
        said = ",\n  ".join(self.read_list(self._definition))
        self.need(")")
        return f"(\n  {said}\n)"

    def _definition(self) -> str:
        self.need("PARTITION")
        name = self.name()
        said = f"PARTITION {quote_name(name)}{self._values()}{self._options(name)}"
        if self.took("("):
            said += f" ({', '.join(self.read_list(self._subpartition))})"
            self.need(")")
        return said

    def _subpartition(self) -> str:
        self.need("SUBPARTITION")
        name = self.name()
        return f"SUBPARTITION {quote_name(name)}{self._options(name)}"

    def _values(self) -> str:
        if self.took("DEFAULT"):
            self.by_list = True
            return " DEFAULT"
        if not self.took("VALUES"):
            return ""
        if self.took("IN"):
            self.by_list = True
            return f" VALUES IN {self.row()}"
        self.need("LESS", "THAN")
        return " VALUES LESS THAN MAXVALUE" if self.took("MAXVALUE") else f" VALUES LESS THAN {self.row()}"

    def _options(self, name: str) -> str:
        said = ""
        while self.next_word is not None and self.next_word.upper not in ("", ",", "(", ")"):
            self.took("STORAGE")
            option = self.next_that(lambda word: word.upper in _OPTIONS).upper
            if option in ("DATA", "INDEX"):
                self.need("DIRECTORY")
                option = f"{option} DIRECTORY"
            self.took("=")
            match option:
                case "ENGINE":
                    self.need("INNODB")  # as every table that is copied, and so nothing that had to be said
                case "COMMENT":
                    said += f" COMMENT = {self.string()}"
                case "MAX_ROWS" | "MIN_ROWS":
                    said += f" {option} = {self.number()}"
                case "DATA DIRECTORY" | "INDEX DIRECTORY":
                    self.string()
                    self.left_out.append(f"{option} of partition '{name}'")
                case "TABLESPACE":
                    self.name()
                    self.left_out.append(f"{option} of partition '{name}'")
                case "NODEGROUP":
                    self.number()
                    self.left_out.append(f"{option} of partition '{name}'")
        return said
