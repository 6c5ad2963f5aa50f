"""Keys, constraints and tables' frames that were read before: what differs from them in nothing but quoted names is a copy
with other names."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from sqlglot import exp

from shardwright.compiler.plain_names import refused_name_reason
from shardwright.compiler.schema_cut import NAME

_NAMES = re.compile(NAME)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A text without its quoted names; the names and their places in the file."""

    text: str
    names: tuple[tuple[str, int], ...]


def pattern(text: str, start: int, end: int) -> Pattern | None:
    """None when it holds a string, or a name that is refused."""
    written = text[start:end].strip()
    if "'" in written or '"' in written:
        return None
    names = tuple((found.group()[1:-1], found.start()) for found in _NAMES.finditer(text, start, end))
    if any(refused_name_reason(name) for name, _ in names):
        return None
    return Pattern(_NAMES.sub("``", written), names)


@dataclass(frozen=True, slots=True)
class _Known:
    """`order` says for each identifier of the node, as a walk meets them, which of the names it is."""

    node: exp.Expr
    order: tuple[int, ...]


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
        return node

    def learn(self, read: Pattern | None, node: exp.Expr) -> None:
        """Remember it when each of its names is one of the identifiers."""
        if read is None or read.text in self._known:
            return
        copy = node.copy()
        identifiers = list(copy.find_all(exp.Identifier))
        names = [(item.name, item.meta.get("start")) for item in identifiers]
        if Counter(names) != Counter(read.names):
            return
        for identifier in identifiers:
            identifier._meta = None
        self._known[read.text] = _Known(copy, tuple(read.names.index(name) for name in names))
