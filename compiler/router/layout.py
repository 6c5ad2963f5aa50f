"""How is a whole file of a language laid out around the functions? Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from shardwright.compiler.router.model import RoutedTable, Router

_HOLE = re.compile(r"@([A-Z_]+)@")


@dataclass(frozen=True, slots=True)
class FileLayout:
    """The forms of lists and of a table's entry; `frame` is where everything else goes, by name in `@...@`.

    quote     a text as a literal
    entry_of  of a table's name as literal, its function or None, whether it has copies, databases and names
    bucket_of of a table's name as literal and the function that gives a row's bucket
    whole     all databases
    some      a list of texts
    """

    quote: Callable[[str], str]
    entry_of: Callable[[str, str | None, bool, str, str], str]
    bucket_of: Callable[[str, str], str]
    whole: str
    some: Callable[[Sequence[str]], str]
    imports: Callable[[Sequence[str]], str]
    order: str
    gap: str = "\n\n"
    """Between functions."""

    def names(self, names: Sequence[str]) -> str:
        return self.some([self.quote(name) for name in names])

    def entry(self, table: RoutedTable, function: str | None, router: Router) -> str:
        everywhere = table.databases == tuple(range(len(router.databases)))
        listed = self.names([router.databases[index] for index in table.databases])
        databases = self.whole if everywhere else listed
        return self.entry_of(self.quote(table.logical), function, table.copies, databases, self.names(table.names))

    def lines(self, texts: Sequence[str]) -> str:
        return "\n".join(texts)

    def blocks(self, texts: Sequence[str]) -> str:
        return self.gap.join(texts)

    def file(self, parts: Mapping[str, str], frame: str) -> str:
        """`order` with its holes filled, and those of the frame."""
        filled = _HOLE.sub(lambda hole: parts[hole[1]], self.order.replace("@FRAME@", frame.rstrip("\n")))
        return re.sub(r"\n{4,}", "\n\n\n", filled).strip("\n") + "\n"
