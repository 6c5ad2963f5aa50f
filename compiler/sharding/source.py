"""Where the parts of a SQL expression stand in the YAML file."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from shardwright.specs.span import Span


@dataclass(frozen=True, slots=True)
class SqlSource:
    """The SQL text of a YAML scalar and the scalar's place.

    A quoted scalar's span counts its quotes; that is how it is told from a plain one. In a scalar of several lines, or
    with escapes, places after the first line cannot be computed from offsets: there the whole scalar is marked.
    """

    text: str
    span: Span

    def place(self, start: int, end: int) -> Span:
        """The place of the characters from `start` to before `end`."""
        if "\n" in self.text[:end] or start >= end:
            return self.span
        quote = 1 if self.span.length == len(self.text) + 2 else 0
        return self.span.shifted(start + quote, end - start)

    def extent(self, node: exp.Expr) -> tuple[int, int]:
        """The offsets a node covers, from those of the tokens below it; the whole text when none is known."""
        known = [part.meta for part in node.walk() if "start" in part.meta]
        if not known:
            return 0, len(self.text)
        return min(meta["start"] for meta in known), max(meta["end"] for meta in known) + 1

    def place_of(self, node: exp.Expr) -> Span:
        return self.place(*self.extent(node))

    def name_of(self, node: exp.Expr) -> str:
        """A function as the author wrote it: the word its first token is."""
        if "start" in node.meta:
            return self.text[node.meta["start"] : node.meta["end"] + 1]
        return node.key

    def place_of_name(self, node: exp.Expr) -> Span:
        if "start" in node.meta:
            return self.place(node.meta["start"], node.meta["end"] + 1)
        return self.place_of(node)

    def excerpt(self, node: exp.Expr) -> str:
        start, end = self.extent(node)
        return self.text[start:end]
