"""What the words of several languages have in common: how a key's texts look, signs, and templates of the same form.
Pure.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

UUID: Final = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
INET4: Final = r"(0|[1-9][0-9]{0,2})([.](0|[1-9][0-9]{0,2})){3}"
DATE: Final = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
MOMENT: Final = DATE + " [0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,6})?"
"""How the server writes these."""

SIGNS: Final[Mapping[str, str]] = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
C_LIKE: Final[Mapping[str, str]] = {
    "add": "({0} + {1})", "sub": "({0} - {1})", "mul": "({0} * {1})", "neg": "(-{0})",
    "mod": "({0} % {1})", "mod_plain": "({0} % {1})", "xor": "({0} ^ {1})",
    "not": "(!{0})", "and": "({0} && {1})", "or": "({0} || {1})",
}  # fmt: skip
"""Steps that languages with C's operators write alike."""


def quote_json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def quote_pattern(pattern: str, quote: Callable[[str], str]) -> str:
    """A pattern as a literal within a template."""
    return quote(pattern.replace("{", "{{").replace("}", "}}"))


def read_steps(
    quote: Callable[[str], str], *, owner: str = "", key: str = "key", wide: str = "wide"
) -> Mapping[str, str]:
    """The templates of columns, which call the library's readers: what may be NULL is read as it is. `owner` is the
    prefix of the readers' names, `key` is the variable, `wide` reads integers beyond 63 bits."""

    def read(name: str, *more: str) -> str:
        return f"{owner}{name}({', '.join([key, '{0}', *more])})"

    readers = {
        "int": read("integer", "{1}", "{2}"),
        "wide": read(wide, "{1}", "{2}"),
        "text": read("text"),
        "char": read("charText"),
        "bytes": read("octets", "{1}", "false"),
        "binary": read("octets", "{1}", "true"),
        "uuid": read("matching", quote_pattern(UUID, quote)),
        "inet4": read("matching", quote_pattern(INET4, quote)),
        "date": read("matching", quote_pattern(DATE, quote)),
        "moment": read("matching", quote_pattern(MOMENT, quote)),
    }
    return {
        **{f"read_{word}": f"{owner}required({{0}}, {template})" for word, template in readers.items()},
        **{f"read_{word}_or_null": template for word, template in readers.items()},
    }


def compare_by(template: str, kinds: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Of `template` with {sign} for each sign and each kind."""
    for word, sign in SIGNS.items():
        for kind in kinds:
            yield f"{word}_{kind}", template.replace("{sign}", sign)
