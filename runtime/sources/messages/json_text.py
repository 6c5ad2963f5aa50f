"""What a JSON message says, as text: every number keeps the characters it was written with (hazard F2), and anything
but plain JSON is refused (F7).

Pure. Used in Spark tasks, and in the driver for single messages.
"""

from __future__ import annotations

import json
from typing import Any

from shardwright.runtime.failures import Refused

_LONGEST_SHOWN = 60


class Number(str):
    """The characters of a JSON number. A text of the same characters is a `str` and no Number."""

    __slots__ = ()


class NotJson(ValueError):
    """Says why the bytes cannot be read."""


def _no_constant(name: str) -> None:
    raise NotJson(f"{name} is not JSON")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise NotJson(f"the key {quote(twice)} is twice in one object")
    return found


_decode = json.JSONDecoder(
    object_pairs_hook=_unique, parse_int=Number, parse_float=Number, parse_constant=_no_constant
).decode


def parse(value: bytes, where: object) -> Any:
    """Objects as dicts, numbers as `Number`. Raises Refused for invalid UTF-8, for bytes that are no JSON, duplicate
    keys, half surrogate pairs, and nesting beyond what Python's parser takes (about a thousand levels)."""
    try:
        document = _decode(value.decode())
        if b"\\u" in value:
            _require_whole_characters(document)
        return document
    except UnicodeDecodeError as error:
        reason = f"it is not UTF-8 (byte {error.start}: {error.reason})"
    except UnicodeEncodeError:
        reason = "it holds half a surrogate pair, which is no character"
    except json.JSONDecodeError as error:
        reason = f"{error.msg} at character {error.pos} of {len(error.doc)}"
    except NotJson as error:
        reason = str(error)
    except RecursionError:
        reason = "it is nested too deep"
    raise Refused(
        "SW8431",
        f"{where} cannot be read as JSON: {reason}. Nothing of it was applied. Look at the message with the queue's "
        "own tools; when it is no change at all, take it out of the stream",
    )


def _require_whole_characters(document: Any) -> None:
    if isinstance(document, str):
        document.encode()
    elif isinstance(document, dict):
        for name, value in document.items():
            name.encode()
            _require_whole_characters(value)
    elif isinstance(document, list):
        for value in document:
            _require_whole_characters(value)


def kind_and_length(value: object) -> str:
    """What a failure may say of a value that must not be shown."""
    if isinstance(value, Number):
        return f"a number of {len(value)} characters"
    if isinstance(value, str):
        return f"a text of {len(value)} characters"
    return {bool: "true or false", list: "a list", dict: "an object"}.get(type(value), "another kind of value")


def quote(value: object) -> str:
    """A value in a failure's message: cut short, and recognisable as a text, a number or something else."""
    text = str(value) if isinstance(value, Number) else ascii(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}... ({len(text)} characters)"
