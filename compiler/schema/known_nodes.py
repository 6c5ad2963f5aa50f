"""Keys, constraints and tables' frames that were read before: what differs from them in nothing but quoted names is a copy
with other names. Of a frame, the counter and the table's comment may differ as well."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from sqlglot import exp

from shardwright.compiler.schema.cut import NAME
from shardwright.compiler.sql.plain_names import refused_name_reason

_NAMES = re.compile(NAME)
_VALUES = re.compile(r"\b(AUTO_INCREMENT|COMMENT)=(?:(\d++)|'([^'`\\]*+)')(?=[\s;]|\Z)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A text without its quoted names and its values; the names and their places in the file; the values, and whether
    they are strings."""

    text: str
    names: tuple[tuple[str, int], ...]
    values: tuple[tuple[str, bool], ...]

    def __add__(self, other: Pattern) -> Pattern:
        return Pattern(self.text + other.text, self.names + other.names, self.values + other.values)


def pattern(text: str, start: int, end: int) -> Pattern | None:
    """None when it holds another string, or a name that is refused."""
    written = text[start:end].strip()
    bare = _VALUES.sub(_without_value, _NAMES.sub("``", written))
    if "'" in bare or '"' in bare:
        return None
    names = tuple((found.group()[1:-1], found.start()) for found in _NAMES.finditer(text, start, end))
    if any(refused_name_reason(name) for name, _ in names):
        return None
    values = tuple((found[2] or found[3], found[2] is None) for found in _VALUES.finditer(written))
    return Pattern(bare, names, values)


def _without_value(found: re.Match[str]) -> str:
    return f"{found[1]}={'number' if found[2] else 'string'}`"


@dataclass(frozen=True, slots=True)
class _Known:
    """`order` says for each identifier of the node, as a walk meets them, which of the names it is; `literals` for
    each value, which of the literals it is."""

    node: exp.Expr
    order: tuple[int, ...]
    literals: tuple[int, ...]


@dataclass(slots=True)
class KnownNodes:
    """Those of one schema file."""

    _known: dict[str, _Known] = field(default_factory=dict)

    def made(self, wanted: Pattern | None) -> exp.Expr | None:
        """The node when one like it is known."""
        known = self._known.get(wanted.text) if wanted else None
        if wanted is None or known is None:
            return None
        node = known.node.copy()
        for identifier, index in zip(node.find_all(exp.Identifier), known.order, strict=True):
            name, start = wanted.names[index]
            identifier.set("this", name)
            identifier._meta = {"start": start, "end": start + len(name) + 1}
        if known.literals:
            literals = list(node.find_all(exp.Literal))
            for index, (value, _) in zip(known.literals, wanted.values, strict=True):
                literals[index].set("this", value)
        return node

    def learn(self, read: Pattern | None, node: exp.Expr) -> None:
        """Remember it when each of its names is one of the identifiers, and each value a literal."""
        if read is None or read.text in self._known:
            return
        copy = node.copy()
        identifiers = list(copy.find_all(exp.Identifier))
        names = [(item.name, item.meta.get("start")) for item in identifiers]
        values = [(item.this, item.is_string) for item in copy.find_all(exp.Literal)]
        if Counter(names) != Counter(read.names) or any(values.count(value) != 1 for value in read.values):
            return
        for identifier in identifiers:
            identifier._meta = None
        order = tuple(read.names.index(name) for name in names)
        self._known[read.text] = _Known(copy, order, tuple(values.index(value) for value in read.values))
