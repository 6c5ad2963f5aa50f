"""Python's words for the steps of a sharding function. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shardwright.compiler.router.language import Language, Statements
from shardwright.compiler.router.layout import FileLayout
from shardwright.compiler.router.templates import DATE, INET4, MOMENT, SIGNS, UUID, quote_json, quote_pattern
from shardwright.compiler.router.terms import Kind


def _rows(values: Sequence[int]) -> str:
    return f"({', '.join(map(str, values))}{',' if len(values) == 1 else ''})"


def _ladder(name: str, table: Any) -> str:
    boundaries, results = table
    return f"{name} = ({_rows(boundaries)}, {_rows(results)})"


def _lookup(name: str, table: Any) -> str:
    entries = "".join(f"    {quote_json(str(key))}: {to},\n" for key, to in table)
    return f"{name} = {{\n{entries}}}"


_READ = {
    "int": ("integer_of", "{1}, {2}"),
    "wide": ("integer_of", "{1}, {2}"),
    "text": ("text_of", ""),
    "char": ("char_of", ""),
    "bytes": ("bytes_of", "{1}, padded=False"),
    "binary": ("bytes_of", "{1}, padded=True"),
    "uuid": ("matching", quote_pattern(UUID, quote_json)),
    "inet4": ("matching", quote_pattern(INET4, quote_json)),
    "date": ("matching", quote_pattern(DATE, quote_json)),
    "moment": ("matching", quote_pattern(MOMENT, quote_json)),
}

_ALIKE = {
    "add": "({0} + {1})",
    "sub": "({0} - {1})",
    "mul": "({0} * {1})",
    "neg": "(-{0})",
    "mod": "remainder_of({0}, {1})",
    "div": "quotient_of({0}, {1})",
    "abs": "abs({0})",
    "digits": "str({0})",
    "ladder": "ladder_of({table}, {0})",
    "clamp": "min(max({0}, {1}), {2})",
    "number": "",
    "little_endian": "little_endian({0}, {1})",
    **{word: f"({{0}} {sign} {{1}})" for word, sign in SIGNS.items()},
}
"""Of integers of any width."""

_STEPS = {
    **{f"read_{word}": f"{call}(value_of(key, {{0}}), {{0}}{', ' if more else ''}{more})"
       for word, (call, more) in _READ.items()},
    **{f"read_{word}_or_null": f"or_null({call}, key, {{0}}{', ' if more else ''}{more})"
       for word, (call, more) in _READ.items()},
    **_ALIKE,
    **{f"{word}_wide": template for word, template in _ALIKE.items()},
    **{f"{word}_{kind}": f"({{0}} {sign} {{1}})" for word, sign in SIGNS.items() for kind in ("text", "bytes", "bool")},
    "mod_wide_long": _ALIKE["mod"], "div_wide_long": _ALIKE["div"],
    "number_int": "", "number_wide": "",
    "mod_plain": "({0} % {1})", "div_plain": "({0} // {1})",
    "widen": "{0}", "narrow": "{0}",
    "leading_integer": "leading_integer({0})",
    "concat": "({0} + {1})",
    "substr": "{0}[{1} - 1 : {1} - 1 + {2}]", "substr_to_end": "{0}[{1} - 1 :]", "right": "right_of({0}, {1})",
    "upper": "upper_of({0})", "lower": "lower_of({0})",
    "hex": "{0}.hex().upper()", "sha2": "sha2_of({0}, {1})",
    "char_length": "len({0})", "byte_length": "len({0})",
    "utf8": "{0}.encode()",
    "crc32": "crc32_of({0})", "md5_prefix": "md5_prefix({0}, {1})",
    "low_half": "({0} & 0xFFFFFFFF)", "high_half": "({0} >> 32 & 0xFFFFFFFF)", "xor": "({0} ^ {1})",
    "signed_long": "signed_long({0})",
    "java_hash": "java_hash({0})", "murmur3": "murmur3_of({0}, {1})", "xxhash64": "xxhash64_of({0}, {1})",
    "pick": "{table}[{0}]", "lookup": "{table}.get({0}, {default})",
    "not": "(not {0})", "and": "({0} and {1})", "or": "({0} or {1})",
    "is_null": "({0} is None)", "is_true": "({0} is True)", "is_false": "({0} is False)",
}  # fmt: skip

PYTHON = Language(
    name="python",
    extension="py",
    steps=_STEPS,
    types=dict.fromkeys(Kind, ""),
    nullable=dict.fromkeys(Kind, ""),
    null="None",
    some=dict.fromkeys(Kind, "{0}"),
    value=dict.fromkeys(Kind, "{0}"),
    statements=Statements(
        declare="",
        define="{name} = {value}",
        assign="{name} = {value}",
        first_test="if {test}:",
        next_test="elif {test}:",
        otherwise="else:",
        end="",
        function="def {name}(key: Mapping[str, object]) -> tuple[int, int]:",
        answer="return {database}, {table}",
        last="",
    ),
    integer=lambda value, _: str(value) if value >= 0 else f"({value})",
    quote=quote_json,
    tables={
        "ladder": _ladder,
        "ladder_wide": _ladder,
        "pick": lambda name, table: f"{name} = {_rows(table)}",
        "lookup": _lookup,
    },
    comment="#",
    yes="True",
    no="False",
)

_ORDER = '''"""Where the rows of a migration are. Made by `shardwright router`: do not edit, make it again.

A key has the values as the server gives them back: integers, texts, bytes, dates as texts such as 2024-01-31 (a
TIMESTAMP in UTC).
"""

@IMPORTS@

@FRAME@


@CONSTANTS@


@FUNCTIONS@


@HELPERS@


TABLES: dict[str, Table] = {
@TABLES@
}
'''

PYTHON_FILE = FileLayout(
    quote=quote_json,
    entry_of=lambda name, function, copies, databases, names: (
        f"    {name}: Table({function}, {copies}, {databases}, {names}),"
    ),
    bucket_of=lambda name, function: f"    {name}: {function},",
    whole="DATABASES",
    some=lambda names: f"({', '.join(names)}{',' if len(names) == 1 else ''})",
    imports="\n".join,
    order=_ORDER,
    gap="\n\n\n",
)
