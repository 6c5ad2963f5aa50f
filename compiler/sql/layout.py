"""How a template prints: its text around the holes, found out once by printing it with markers in the holes.

sqlglot breaks a line where a group of arguments is too wide for one. What stands in the holes decides that, so a layout
is a tree: at each such group the widths of the fillings choose the branch. Branches are printed when first needed.

A marker is three lines, so that the indentation which a filling's further lines and its last one get can be read off; a
hole for a list has two markers, and what stands between them separates the list's items.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal, NamedTuple

from sqlglot import exp

from shardwright.compiler.plan.plan import SqlDialect
from shardwright.compiler.sql.printer import MAX_WIDTH, OPTIONS, generator_class

HoleKind = Literal["one", "list", "chain"]
"""A node; the items of a list; the operands of AND and OR, each but the first with its operator before it."""

_MARKER = re.compile("\ue000(\\w+)\ue001\n( *)\ue002\n( *)\ue003")


class Hole(exp.Expression, exp.Condition):
    """A marker in a template's tree. `this` is the hole's name."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True}


class Pieces(NamedTuple):
    """A filling as raw texts: one, a list's items, or a chain's operands. `length` and `breaks` are of all of them."""

    texts: tuple[str, ...]
    length: int
    breaks: int

    @classmethod
    def of(cls, *texts: str) -> Pieces:
        whole = "".join(texts)
        return cls(texts, len(whole), whole.count("\n"))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a filling stands: what separates its items, what its further lines begin with, and its last one."""

    hole: str
    separator: str
    indent: str
    last_indent: str


@dataclass(frozen=True, slots=True)
class _Text:
    """Constant text and places in turn. `constant` is the length of the constant text."""

    parts: tuple[str | _Place, ...]
    places: tuple[_Place, ...]
    constant: int

    def width(self, pieces: Mapping[str, Pieces]) -> int:
        total = self.constant
        for place in self.places:
            piece = pieces[place.hole]
            total += piece.length + (len(piece.texts) - 1) * len(place.separator)
            if piece.breaks:
                total += piece.breaks * len(place.indent)
                if "\n" in piece.texts[-1]:
                    total += len(place.last_indent) - len(place.indent)
        return total

    def with_pieces(self, pieces: Mapping[str, Pieces]) -> str:
        made: list[str] = []
        for part in self.parts:
            if isinstance(part, str):
                made.append(part)
                continue
            piece = pieces[part.hole]
            text = part.separator.join(piece.texts) if not piece.breaks else _indent(piece.texts, part)
            made.append(text)
        return "".join(made)


def _indent(texts: tuple[str, ...], place: _Place) -> str:
    made = [text.replace("\n", "\n" + place.indent) for text in texts]
    if place.last_indent != place.indent and "\n" in texts[-1]:
        lines, _, last = texts[-1].rpartition("\n")
        made[-1] = lines.replace("\n", "\n" + place.indent) + "\n" + place.last_indent + last
    return place.separator.join(made)


@dataclass(slots=True)
class Layout:
    """The layout of one template whose holes have the given kinds; `marked` is its tree with markers."""

    marked: exp.Expr
    dialect: SqlDialect
    kinds: Mapping[str, HoleKind]
    _known: dict[tuple[bool, ...], tuple[bool, _Text]] = field(default_factory=dict)

    def text(self, pieces: Mapping[str, Pieces]) -> str:
        path: tuple[bool, ...] = ()
        while (known := self._known.get(path)) is not None:
            is_whole, text = known
            if is_whole:
                return text.with_pieces(pieces)
            path = (*path, text.width(pieces) > MAX_WIDTH)
        return self._print(path, pieces).with_pieces(pieces)

    def _print(self, path: tuple[bool, ...], pieces: Mapping[str, Pieces]) -> _Text:
        """Print the tree once. Questions beyond `path` are answered for these fillings, and kept."""
        answers = list(path)
        asked = 0

        def too_wide(args: Iterable[str]) -> bool:
            nonlocal asked
            text = "".join(args)
            if not _MARKER.search(text):
                return len(text) > MAX_WIDTH
            asked += 1
            if asked > len(answers):
                question = self._read(text)
                self._known[tuple(answers)] = (False, question)
                answers.append(question.width(pieces) > MAX_WIDTH)
            return answers[asked - 1]

        printer = _recorder(self.dialect)(dialect=self.dialect, **OPTIONS)
        printer.answer = too_wide
        whole = self._read(printer.sql(printer.preprocess(self.marked.copy())))
        self._known[tuple(answers)] = (True, whole)
        return whole

    def _read(self, text: str) -> _Text:
        parts: list[str | _Place] = []
        end = 0
        first: re.Match[str] | None = None  # the first marker of a list
        for match in _MARKER.finditer(text):
            name, indent, last_indent = match.groups()
            if self.kinds[name] == "one":
                parts += [text[end : match.start()], _Place(name, "", indent, last_indent)]
            elif first is None:
                parts.append(text[end : match.start()])
                first = match
                continue
            else:
                assert first.groups() == (name, indent, indent), "a list is printed item by item"
                between = text[first.end() : match.start()]
                separator = between.removesuffix("AND ") if self.kinds[name] == "chain" else between
                parts.append(_Place(name, separator, indent, last_indent))
                first = None
            end = match.end()
        assert first is None
        parts.append(text[end:])
        places = tuple(part for part in parts if isinstance(part, _Place))
        return _Text(tuple(part for part in parts if part), places, sum(len(p) for p in parts if isinstance(p, str)))


def marker(name: str) -> Hole:
    return Hole(this=name)


_recorders: dict[SqlDialect, type] = {}


def _recorder(dialect: SqlDialect) -> type:
    if dialect not in _recorders:
        base = generator_class(dialect)
        transforms = {**base.TRANSFORMS, Hole: lambda _, node: f"\ue000{node.this}\ue001\n\ue002\n\ue003"}
        members = {"TRANSFORMS": transforms, "too_wide": lambda self, args: self.answer(args)}
        _recorders[dialect] = type("Recorder", (base,), members)
    return _recorders[dialect]
