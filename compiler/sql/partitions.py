"""`PARTITION BY`, and the partitions that an ALTER TABLE names, as both servers write them. sqlglot knows a part of it
only, so it is read by words, to the last one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NoReturn

from sqlglot import exp

from shardwright.compiler.sql.server_lexer import Kind, Word, words_of

_FUNCTIONS = frozenset(
    [
        *("ABS", "CEILING", "DATEDIFF", "DAY", "DAYOFMONTH", "DAYOFWEEK", "DAYOFYEAR", "FLOOR", "HOUR", "MICROSECOND"),
        *("MINUTE", "MOD", "MONTH", "QUARTER", "SECOND", "TIME_TO_SEC", "TO_DAYS", "TO_SECONDS", "UNIX_TIMESTAMP"),
        *("WEEKDAY", "YEAR", "YEARWEEK"),
    ]
)
"""Those that both servers take in a partitioning expression."""
_UNITS = frozenset(
    [
        *("YEAR", "QUARTER", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "MICROSECOND", "YEAR_MONTH", "DAY_HOUR"),
        *("DAY_MINUTE", "DAY_SECOND", "DAY_MICROSECOND", "HOUR_MINUTE", "HOUR_SECOND", "HOUR_MICROSECOND"),
        *("MINUTE_SECOND", "MINUTE_MICROSECOND", "SECOND_MICROSECOND"),
    ]
)
_OPERATORS = frozenset({"DIV", "MOD"})
_MARKS = frozenset("+-*%")


_PLACE = "clone"
"""sqlglot's tree has no place for the clause. What it prints last of a CREATE is this, which MySQL has not."""


class NotRead(Exception):
    """The text is the first word that is not understood; empty at the end."""


@dataclass(frozen=True, slots=True)
class Partitions:
    """`text` is the clause as it is printed here. `columns` are those by which rows are divided, as they were written;
    `by_key`: the clause names none and means those of the primary key. `left_out` are the clauses of single partitions
    that say where the server keeps them: `text` goes without."""

    text: str
    columns: tuple[str, ...]
    by_key: bool
    left_out: tuple[str, ...]


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


def plain_words(text: str) -> list[Word]:
    """Raises NotRead where sessions or servers differ in what the words are."""
    if "\\" in text:
        raise NotRead("\\")
    words = list(words_of(text))
    for word in words:
        if word.kind in (Kind.OPEN, Kind.CLOSE) or (word.kind is Kind.MARK and word.text in "'\"`"):
            raise NotRead(word.text)
    return words


def quoted_name(name: str) -> str:
    return f"`{name.replace('`', '``')}`"


@dataclass(slots=True)
class _Written:
    """Words put together as people write them."""

    text: str = ""
    opens: bool = True

    def add(self, word: str, *, sticks: bool = False, opens: bool = False) -> None:
        """`sticks`: no space before it; `opens`: none behind it."""
        self.text += word if self.opens or sticks else f" {word}"
        self.opens = opens


class PartitionReader:
    """Takes one word after the other. Each method gives what it has read as it is printed here, or raises NotRead."""

    def __init__(self, words: Sequence[Word], name_of: Callable[[str], str] = str) -> None:
        self._words = words
        self._at = 0
        self._name_of = name_of
        self.columns: list[str] = []
        self.by_key = False
        self.by_list = False
        """Whether a partition is one of listed values."""
        self.left_out: list[str] = []

    def next_is(self, *wanted: str) -> bool:
        found = self._words[self._at : self._at + len(wanted)]
        return len(found) == len(wanted) and all(word.upper == one for word, one in zip(found, wanted, strict=True))

    def took(self, *wanted: str) -> bool:
        there = self.next_is(*wanted)
        self._at += len(wanted) if there else 0
        return there

    def need(self, *wanted: str) -> None:
        if not self.took(*wanted):
            self.fail()

    def end(self) -> None:
        if self._at < len(self._words):
            self.fail()

    def fail(self) -> NoReturn:
        raise NotRead(self._words[self._at].text if self._at < len(self._words) else "")

    def word(self) -> str:
        """Any word that is no name in quotes, in capitals."""
        return self._next(lambda word: word.kind is Kind.WORD).text.upper()

    def name(self) -> str:
        return self._next(lambda word: word.kind is Kind.NAME or _is_name(word)).text

    def number(self) -> str:
        return self._next(lambda word: word.kind is Kind.WORD and word.text.isdecimal()).text

    def _string(self) -> str:
        return self._next(lambda word: word.kind is Kind.STRING and word.text[:1] == "'").text

    def _next(self, fits: Callable[[Word], bool]) -> Word:
        if self._at >= len(self._words) or not fits(self._words[self._at]):
            self.fail()
        self._at += 1
        return self._words[self._at - 1]

    def listed(self, read: Callable[[], str]) -> Iterator[str]:
        """At least one of them, parted by commas."""
        yield read()
        while self.took(","):
            yield read()

    def names(self) -> str:
        return ", ".join(self.listed(lambda: quoted_name(self.name())))

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
            return f"{linear}HASH {self._expression()}"
        if self.took("KEY"):
            return f"{linear}KEY {self._algorithm()}({self._key_columns()})"
        if linear or not of_table or not (self.next_is("RANGE") or self.next_is("LIST")):
            self.fail()
        kind = self.word()
        return f"{kind} COLUMNS {self._column_list()}" if self.took("COLUMNS") else f"{kind} {self._expression()}"

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
        said = ", ".join(self.listed(self._column))
        self.need(")")
        return said

    def _column_list(self) -> str:
        self.need("(")
        said = ", ".join(self.listed(self._column))
        self.need(")")
        return f"({said})"

    def _column(self) -> str:
        name = self.name()
        self.columns.append(name)
        return quoted_name(self._name_of(name))

    def _expression(self) -> str:
        self.need("(")
        said = self._value(columns=True)
        self.need(")")
        return f"({said})"

    def _value(self, *, columns: bool = False) -> str:
        """As far as the comma or bracket behind it."""
        said, depth = _Written(), 0
        while not (depth == 0 and (self.next_is(")") or self.next_is(","))):
            if self.took("("):
                said.add("(", opens=True)
                depth += 1
            elif depth and self.took(")"):
                said.add(")", sticks=True)
                depth -= 1
            elif depth and self.took(","):
                said.add(",", sticks=True)
            elif self.took("EXTRACT", "("):
                said.add(f"EXTRACT({self._unit()} FROM", opens=False)
                self.need("FROM")
                depth += 1
            else:
                self._operand(said, columns=columns)
        if not said.text:
            self.fail()
        return said.text

    def _unit(self) -> str:
        return self._next(lambda word: word.upper in _UNITS).text.upper()

    def _operand(self, said: _Written, *, columns: bool) -> None:
        word = self._words[self._at] if self._at < len(self._words) else None
        if word is not None and word.kind is Kind.MARK and word.text in _MARKS:
            self._at += 1
            said.add(word.text, opens=said.opens)
        elif word is not None and word.kind is Kind.STRING:
            said.add(self._string())
        elif word is not None and word.kind is Kind.WORD and word.text.isdecimal():
            said.add(self.number())
        elif word is not None and word.upper in _FUNCTIONS and self.next_is(word.upper, "("):
            said.add(self.word(), opens=True)  # its bracket follows at once
        elif word is not None and (word.upper in _OPERATORS or (not columns and word.upper in ("NULL", "MAXVALUE"))):
            said.add(self.word())
        elif word is not None and not columns and word.kind is Kind.WORD and word.text.startswith("_"):
            said.add(f"{self.word().lower()} {self._string()}")
        elif columns:
            said.add(self._column())
            if self.next_is("("):
                self.fail()  # a function that is not known here
        else:
            self.fail()

    def change(self) -> PartitionChange:
        """The clause of an ALTER TABLE about partitions that keeps every row of the table, or may (`by_list`)."""
        if self.next_is("PARTITION", "BY"):
            return PartitionChange("PARTITION BY", self.clause())
        if self.took("REMOVE", "PARTITIONING"):
            return PartitionChange("REMOVE PARTITIONING", "REMOVE PARTITIONING")
        verb = self.word()
        if verb not in _CHANGES:
            self._at -= 1
            self.fail()
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
        elif self._at < len(self._words):
            said += f" {self.names()} INTO"
            self.need("INTO")
            said += f" {self.definitions()}"
            defined = True
        return PartitionChange(f"{verb} PARTITION", said, defined=defined, by_list=self.by_list)

    def definitions(self) -> str:
        self.need("(")
        said = ",\n  ".join(self.listed(self._definition))
        self.need(")")
        return f"(\n  {said}\n)"

    def _definition(self) -> str:
        self.need("PARTITION")
        name = self.name()
        said = f"PARTITION {quoted_name(name)}{self._values()}{self._options(name)}"
        if self.took("("):
            said += f" ({', '.join(self.listed(self._subpartition))})"
            self.need(")")
        return said

    def _subpartition(self) -> str:
        self.need("SUBPARTITION")
        name = self.name()
        return f"SUBPARTITION {quoted_name(name)}{self._options(name)}"

    def _values(self) -> str:
        if self.took("DEFAULT"):
            self.by_list = True
            return " DEFAULT"
        if not self.took("VALUES"):
            return ""
        if self.took("IN"):
            self.by_list = True
            return f" VALUES IN {self._row()}"
        self.need("LESS", "THAN")
        return " VALUES LESS THAN MAXVALUE" if self.took("MAXVALUE") else f" VALUES LESS THAN {self._row()}"

    def _row(self) -> str:
        self.need("(")
        said = ", ".join(self.listed(self._row_or_value))
        self.need(")")
        return f"({said})"

    def _row_or_value(self) -> str:
        return self._row() if self.next_is("(") else self._value()

    def _options(self, name: str) -> str:
        said = ""
        while self._at < len(self._words) and self._words[self._at].upper not in ("", ",", "(", ")"):
            self.took("STORAGE")
            option = self.word()
            if option in ("DATA", "INDEX"):
                self.need("DIRECTORY")
                option = f"{option} DIRECTORY"
            self.took("=")
            match option:
                case "ENGINE":
                    self.need("INNODB")  # as every table that is copied, and so nothing that had to be said
                case "COMMENT":
                    said += f" COMMENT = {self._string()}"
                case "MAX_ROWS" | "MIN_ROWS":
                    said += f" {option} = {self.number()}"
                case "DATA DIRECTORY" | "INDEX DIRECTORY":
                    self._string()
                    self.left_out.append(f"{option} of partition '{name}'")
                case "TABLESPACE":
                    self.name()
                    self.left_out.append(f"{option} of partition '{name}'")
                case "NODEGROUP":
                    self.number()
                    self.left_out.append(f"{option} of partition '{name}'")
                case _:
                    self._at -= 1
                    self.fail()
        return said


def _is_name(word: Word) -> bool:
    return word.kind is Kind.WORD and not word.text.isdecimal()
