"""How findings name what they found: quoted texts, kinds of values, close matches."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from functools import lru_cache

_KINDS = {
    str: "text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    list: "a list",
    dict: "a mapping",
}
_SCHEMA_KINDS = {
    "string": "text",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "array": "a list",
    "object": "a mapping",
}


def quote(value: object) -> str:
    """A text in quotes, cut when long; other values as YAML writes them."""
    if not isinstance(value, str):
        return str(value).lower() if isinstance(value, bool) else str(value)
    return f"'{value}'" if len(value) <= 64 else f"'{value[:60]}...'"


def kind_of(value: object) -> str:
    """What a YAML value is, in words: "a list"."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    return _KINDS[type(value)]


def kind_named(schema_type: str) -> str:
    """What a JSON Schema type asks for, in words."""
    return _SCHEMA_KINDS[schema_type]


def either(words: Sequence[str]) -> str:
    """ "a", "a or b", "a, b or c"."""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known word that was probably meant; letter case and `-` against `_` do not count."""
    return _closest(word[:100], tuple(sorted(known, reverse=True)))


# A file may repeat one mistake in thousands of lines, and comparing with a thousand names takes milliseconds.
@lru_cache(maxsize=256)
def _closest(word: str, known: tuple[str, ...]) -> str | None:
    plain = {name.lower().replace("-", "_"): name for name in known}
    matches = difflib.get_close_matches(word.lower().replace("-", "_"), plain, n=1, cutoff=0.7)
    return plain[matches[0]] if matches else None


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """The hint for a misspelt word, when there is a close one."""
    match = closest(word, known)
    return None if match is None else f"did you mean '{match}'?"
