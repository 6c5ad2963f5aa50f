"""Which tables with equal settings can one entry of a spec mean by how their names begin? Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

REST = "*"
"""The pattern of all tables that no other entry means."""
_SHORTEST = 3
"""Characters before the `*`: fewer say nothing of what the tables have in common."""


def find_groups(alike: Sequence[str], names: Collection[str]) -> dict[str, list[str]]:
    """Patterns, each with the tables that it means, sorted: several of `alike`, and no other one of `names`. No table
    is in two of them. All names are as the schema writes them."""
    others = set(names) - set(alike)
    left = set(alike)
    found: dict[str, list[str]] = {}
    while True:
        meant = {
            start: [name for name in sorted(left) if name.startswith(start)]
            for start in sorted({start for name in left for start in _beginnings(name)})
            if not any(name.startswith(start) for name in others)
        }
        best = max(meant, key=lambda start: (len(meant[start]), len(start)), default=None)
        if best is None or len(meant[best]) < 2:
            return found
        found[f"{best}*"] = meant[best]
        left -= {*meant[best]}
        others |= {*meant[best]}


def _beginnings(name: str) -> Iterator[str]:
    """How the names of its group may begin: with the whole name, or with the parts before a `_`, with it or without."""
    if any(sign in name for sign in "*?[]"):
        return
    parts = name.split("_")
    for count in range(1, len(parts) + 1):
        start = "_".join(parts[:count])
        if len(start) >= _SHORTEST:
            yield from (start, f"{start}_")
