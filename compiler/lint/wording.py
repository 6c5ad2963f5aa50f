"""How lint findings name several things."""

from __future__ import annotations

from collections.abc import Sequence

_SHOWN = 6


def listed(names: Sequence[str]) -> str:
    """ "'a'", "'a' and 'b'", "'a', 'b' and 'c'"; a long list ends in a number."""
    shown = [f"'{name}'" for name in names[:_SHOWN]]
    if len(names) > _SHOWN:
        return f"{', '.join(shown)} and {len(names) - _SHOWN} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def counted(number: int, what: str) -> str:
    """ "1 index", "3 tables"; `what` is the plural's stem and ends in what an `s` or `es` follows."""
    if number == 1:
        return f"1 {what}"
    return f"{number:,} {what}{'es' if what.endswith('x') else 's'}"
