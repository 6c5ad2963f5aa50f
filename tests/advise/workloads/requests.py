"""Which statements does a page of an application execute? `requests.sql` has them, with names in braces for the values. Pure."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

_HEAD: Final = re.compile(r"-- (page|piece): ([^\n]+?)(?:, weight: (\d+))?\n")
_TABLE: Final = re.compile(r"^CREATE TABLE `(\w+)` \(\n(.*?)^\)", re.MULTILINE | re.DOTALL)
_COLUMN: Final = re.compile(r"^  `(\w+)` (.*?),?$", re.MULTILINE)
_NAME: Final = re.compile(r"\{([a-z]\w*(?::[^{}\"]+)?)\}")
_SQL_OF_HASH: Final[Mapping[str, Callable[[bytes], str]]] = {
    "hash": lambda text: hashlib.md5(text, usedforsecurity=False).hexdigest(),
    "hash22": lambda text: hashlib.md5(text, usedforsecurity=False).hexdigest()[:22],
    "sha": lambda text: hashlib.sha1(text, usedforsecurity=False).hexdigest(),
}

Rule = Callable[["Request"], int]


@dataclass(frozen=True, slots=True)
class Page:
    """`weight` is how often it is asked for, among the weights of all pages."""

    name: str
    weight: int
    statements: tuple[str, ...]


def read_pages(text: str) -> tuple[Page, ...]:
    """The pages of a `requests.sql`, each with the statements of the pieces that it names (`@piece;`)."""
    _, *parts = _HEAD.split(text)
    found = list(zip(parts[0::4], parts[1::4], parts[2::4], map(_cut, parts[3::4]), strict=True))
    pieces = {name: statements for kind, name, _, statements in found if kind == "piece"}

    def whole(statements: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(one for each in statements for one in (pieces[each[1:]] if each.startswith("@") else (each,)))

    return tuple(Page(name, int(weight), whole(own)) for kind, name, weight, own in found if kind == "page")


def _cut(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in re.split(r";\n", text) if part.strip())


def read_columns(schema: str) -> dict[str, dict[str, str]]:
    """By table, the columns in order, each with its type and clauses."""
    return {table: dict(_COLUMN.findall(body)) for table, body in _TABLE.findall(schema)}


@dataclass(slots=True)
class Source:
    """What all requests of one application share. `last_ids` are the highest ids of `data.sql`."""

    columns: Mapping[str, Mapping[str, str]]
    rules: Mapping[str, Rule]
    last_ids: dict[str, int]
    dice: random.Random


@dataclass(slots=True)
class Request:
    """One call of a page: a name has the same value in all of its statements."""

    source: Source
    now: str
    values: dict[str, int] = field(default_factory=dict)

    def __getitem__(self, name: str) -> int:
        if name not in self.values:
            self.values[name] = self.source.rules[name](self)
        return self.values[name]

    def number(self, lowest: int, highest: int) -> int:
        return self.source.dice.randint(lowest, highest)

    def fill(self, statement: str) -> str:
        return _NAME.sub(lambda found: self._text(*found[1].split(":")), statement)

    def _text(self, name: str, *given: str) -> str:
        match name, given:
            case "now", ():
                return self.now
            case "unix", ():
                return str(1_773_480_000 + self.source.dice.randint(0, 7200))
            case "int", (lowest, highest):
                return str(self.number(int(lowest), int(highest)))
            case "money", ():
                return f"{self.number(3, 240)}.{self.number(0, 99):02d}"
            case "hex", (length,):
                return "".join(self.source.dice.choices("0123456789abcdef", k=int(length)))
            case "pick", (words,):
                return self.source.dice.choice(words.split("|"))
            case "pad", (length, other):
                return f"{self[other]:0{length}d}"
            case (("hash" | "hash22" | "sha"), (prefix, other)):
                return _SQL_OF_HASH[name](f"{prefix}{self[other]}".encode())
            case "new", (table,):
                return str(self._new(table))
            case (("cols" | "ins" | "h"), (table, *alias)):
                return self._columns(name, table, *alias)
            case _, (count,):
                return ", ".join(str(self.source.rules[name](self)) for _ in range(int(count)))
        return str(self[name])

    def _new(self, table: str) -> int:
        if (name := f"new:{table}") not in self.values:
            self.source.last_ids[table] = self.source.last_ids.get(table, 900_000) + 1
            self.values[name] = self.source.last_ids[table]
        return self.values[name]

    def _columns(self, kind: str, table: str, alias: str = "") -> str:
        columns = self.source.columns[table]
        if kind == "cols":
            return ", ".join(f"`{alias or table}`.`{one}`" for one in columns)
        if kind == "ins":
            own = [one for one, words in columns.items() if not re.search("AUTO_INCREMENT|GENERATED", words)]
            return f"({', '.join(f'`{one}`' for one in own)})"
        return ",".join(f"{alias}.{one}" for one in sorted(columns, key=lambda one: (one != "id", one)))
