"""Names stand in compiled SQL, in its comments and in messages: what could be taken for anything else there is refused
(hazard I1)."""

from __future__ import annotations

import unicodedata

PLACEHOLDER = "${"
"""How the placeholders of compiled SQL begin."""


def refused_name_reason(name: str) -> str | None:
    """Why a table, column or key cannot be called so; None when it can."""
    if not name:
        return "is empty"
    if PLACEHOLDER in name:
        return f"holds '{PLACEHOLDER}'"
    if name.isascii() and name.isprintable():
        return None
    if any(unicodedata.category(character) in _CONTROLS for character in name):
        return "holds a control character"
    return None


# Control and format characters (also those that turn the writing direction), and what ends a line for some reader.
_CONTROLS = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
