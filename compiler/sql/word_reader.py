"""SQL read word by word, as far as it is understood: for clauses that sqlglot does not know."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NoReturn

from shardwright.compiler.sql.server_lexer import Kind, Word, words_of


class NotRead(Exception):
    """The text is the first word that is not understood; empty at the end."""


def plain_words(text: str) -> list[Word]:
    """Raises NotRead where sessions or servers differ in what the words are."""
    if "\\" in text:
        raise NotRead("\\")
    words = list(words_of(text))
    for word in words:
        if word.kind in (Kind.OPEN, Kind.CLOSE) or (word.kind is Kind.MARK and word.text in "'\"`"):
            raise NotRead(word.text)
    return words


def quote_name(name: str) -> str:
    return f"`{name.replace('`', '``')}`"


class WordReader:
    """Takes one word after the other. What reads a part gives it as it is printed here, or raises NotRead."""

    def __init__(self, words: Sequence[Word]) -> None:
        self._words = words
        self._at = 0

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
        return self.next_that(lambda word: word.kind is Kind.WORD).text.upper()

    def name(self) -> str:
        return self.next_that(lambda word: word.kind is Kind.NAME or _is_name(word)).text

    def table(self, database: str) -> tuple[str, str]:
        """Database and table; the session's `database` where none is named."""
        name = self.name()
        return (name, self.name()) if self.took(".") else (database, name)

    def number(self) -> str:
        return self.next_that(lambda word: word.kind is Kind.WORD and word.text.isdecimal()).text

    def string(self) -> str:
        return self.next_that(lambda word: word.kind is Kind.STRING and word.text[:1] == "'").text

    def next_that(self, fits: Callable[[Word], bool]) -> Word:
        if self._at >= len(self._words) or not fits(self._words[self._at]):
            self.fail()
        self._at += 1
        return self._words[self._at - 1]

    def read_list(self, read: Callable[[], str]) -> Iterator[str]:
        """At least one of them, parted by commas."""
        yield read()
        while self.took(","):
            yield read()

    def names(self) -> str:
        return ", ".join(self.read_list(lambda: quote_name(self.name())))

    @property
    def next_word(self) -> Word | None:
        return self._words[self._at] if self._at < len(self._words) else None


def _is_name(word: Word) -> bool:
    return word.kind is Kind.WORD and not word.text.isdecimal()
