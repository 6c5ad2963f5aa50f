"""What rows are divided by into partitions, and the values between them, in the words of both servers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from shardwright.compiler.sql.server_lexer import Kind, Word
from shardwright.compiler.sql.word_reader import WordReader, quote_name

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


@dataclass(slots=True)
class _WordText:
    """Words put together as people write them."""

    text: str = ""
    opens: bool = True

    def add(self, word: str, *, sticks: bool = False, opens: bool = False) -> None:
        """`sticks`: no space before it; `opens`: none behind it."""
        self.text += word if self.opens or sticks else f" {word}"
        self.opens = opens


class ValueReader(WordReader):
    """`name_of` gives each column its name in what is printed; `columns` are those that were read, as written."""

    def __init__(self, words: Sequence[Word], name_of: Callable[[str], str] = str) -> None:
        super().__init__(words)
        self._name_of = name_of
        self.columns: list[str] = []

    def column_list(self) -> str:
        self.need("(")
        said = ", ".join(self.read_list(self.column))
        self.need(")")
        return f"({said})"

    def column(self) -> str:
        name = self.name()
        self.columns.append(name)
        return quote_name(self._name_of(name))

    def expression(self) -> str:
        self.need("(")
        said = self._value(columns=True)
        self.need(")")
        return f"({said})"

    def _value(self, *, columns: bool = False) -> str:
        """As far as the comma or bracket behind it."""
        said, depth = _WordText(), 0
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
        return self.next_that(lambda word: word.upper in _UNITS).text.upper()

    def _operand(self, said: _WordText, *, columns: bool) -> None:
        word = self.next_word
        if word is not None and word.kind is Kind.MARK and word.text in _MARKS:
            self.took(word.text)
            said.add(word.text, opens=said.opens)
        elif word is not None and word.kind is Kind.STRING:
            said.add(self.string())
        elif word is not None and word.kind is Kind.WORD and word.text.isdecimal():
            said.add(self.number())
        elif word is not None and word.upper in _FUNCTIONS and self.next_is(word.upper, "("):
            said.add(self.word(), opens=True)  # its bracket follows at once
        elif word is not None and (word.upper in _OPERATORS or (not columns and word.upper in ("NULL", "MAXVALUE"))):
            said.add(self.word())
        elif word is not None and not columns and word.kind is Kind.WORD and word.text.startswith("_"):
            said.add(f"{self.word().lower()} {self.string()}")
        elif columns:
            said.add(self.column())
            if self.next_is("("):
                self.fail()  # a function that is not known here
        else:
            self.fail()

    def row(self) -> str:
        self.need("(")
        said = ", ".join(self.read_list(self._row_or_value))
        self.need(")")
        return f"({said})"

    def _row_or_value(self) -> str:
        return self.row() if self.next_is("(") else self._value()
