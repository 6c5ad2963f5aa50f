"""TypeScript's words for the steps of a sharding function: every integer is a bigint. Pure.

Types stand between « and », so that the same text without them is JavaScript.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from shardwright.compiler.router.language import Language, Statements
from shardwright.compiler.router.layout import FileLayout
from shardwright.compiler.router.templates import C_LIKE, SIGNS, compare_by, quote_json, read_steps
from shardwright.compiler.router.terms import Kind

_SIGNS = {**SIGNS, "eq": "===", "ne": "!=="}


def quote(text: str) -> str:
    """No literal has the marks of a type."""
    return quote_json(text).replace("«", "\\u00ab").replace("»", "\\u00bb")


_ALIKE = {
    **{word: C_LIKE[word] for word in ("add", "sub", "mul", "neg", "mod")},
    "div": "({0} / {1})", "abs": "absOf({0})",
    "digits": "{0}.toString()",
    "ladder": "ladderOf({table}, {0})",
    "clamp": "clampOf({0}, {1}, {2})",
    "number": "",
    "little_endian": "littleEndian({0}, {1})",
    **{word: f"({{0}} {sign} {{1}})" for word, sign in _SIGNS.items()},
}  # fmt: skip

_STEPS = {
    **C_LIKE,
    **read_steps(quote, wide="integer"),
    **_ALIKE,
    **{f"{word}_wide": template for word, template in _ALIKE.items()},
    "mod_wide_long": "({0} % {1})", "div_wide_long": "({0} / {1})",
    "number_int": "", "div_plain": "({0} / {1})",
    "widen": "{0}", "narrow": "{0}", "signed_long": "BigInt.asIntN(64, {0})",
    "leading_integer": "leadingInteger({0})",
    "concat": "({0} + {1})",
    "substr": "substr({0}, {1}, {2})", "substr_to_end": "substr({0}, {1}, 0x7FFFFFFFn)",
    "right": "rightOf({0}, {1})", "upper": "upperOf({0})", "lower": "lowerOf({0})",
    "hex": "hexOf({0})", "sha2": "sha2({0}, {1})",
    "char_length": "BigInt(Array.from({0}).length)", "byte_length": "BigInt({0}.length)",
    "utf8": "utf8({0})", "crc32": "crc32({0})", "md5_prefix": "md5Prefix({0}, {1})",
    "low_half": "BigInt.asUintN(32, {0})", "high_half": "BigInt.asUintN(32, {0} >> 32n)",
    "java_hash": "javaHash({0})", "murmur3": "murmur3({0}, {1})", "xxhash64": "xxhash64({0}, {1})",
    "pick": "{table}[Number({0})]", "lookup": "({table}.get({0}) ?? {default})",
    **dict(compare_by("(compare(utf8({0}), utf8({1})) {sign} 0)", ["text"])),
    **dict(compare_by("(compare({0}, {1}) {sign} 0)", ["bytes"])),
    "eq_bool": "({0} === {1})", "ne_bool": "({0} !== {1})",
    "is_null": "({0} === null)", "is_true": "({0} === true)", "is_false": "({0} === false)",
}  # fmt: skip

_TYPES = {
    Kind.INT: "bigint",
    Kind.WIDE: "bigint",
    Kind.TEXT: "string",
    Kind.BYTES: "Uint8Array",
    Kind.BOOL: "boolean",
}


def _numbers(values: Iterable[int]) -> str:
    return f"[{', '.join(f'{number}n' for number in values)}]"


def _ladder(name: str, table: Any) -> str:
    return f"const {name}«: Steps» = [{_numbers(table[0])}, {_numbers(table[1])}];"


def _lookup(name: str, table: Any) -> str:
    entries = "".join(f"  [{quote(str(key))}, {to}n],\n" for key, to in table)
    return f"const {name} = new Map«<string, bigint>»([\n{entries}]);"


TYPESCRIPT = Language(
    name="typescript",
    extension="ts",
    steps=_STEPS,
    types=_TYPES,
    nullable={kind: f"{name} | null" for kind, name in _TYPES.items()},
    null="null",
    some=dict.fromkeys(Kind, "{0}"),
    value={kind: f"({{0}}« as {name}»)" for kind, name in _TYPES.items()},
    statements=Statements(
        declare="let {name}«: {type}»;",
        define="const {name}«: {type}» = {value};",
        assign="{name} = {value};",
        first_test="if ({test}) {{",
        next_test="}} else if ({test}) {{",
        otherwise="} else {",
        end="}",
        function="function {name}(key«: Key»)«: [bigint, bigint]» {{",
        answer="return [{database}, {table}];",
        last="}",
    ),
    integer=lambda value, _: f"{value}n" if value >= 0 else f"({value}n)",
    quote=quote,
    tables={
        "ladder": _ladder,
        "ladder_wide": _ladder,
        "pick": lambda name, table: f"const {name} = {_numbers(table)};",
        "lookup": _lookup,
    },
)

_ORDER = """// Where the rows of a migration are. Made by `shardwright router`: do not edit, make it again.
//
// A key has the values as the server gives them back: integers (a bigint, or a number that is exact), texts, bytes,
// dates as texts such as 2024-01-31 (a TIMESTAMP in UTC).

@IMPORTS@

@FRAME@

@CONSTANTS@

@FUNCTIONS@

@HELPERS@

const TABLES = new Map«<string, Table>»([
@TABLES@
]);
"""

TYPESCRIPT_FILE = FileLayout(
    quote=quote,
    entry_of=lambda name, function, copies, databases, names: (
        f"  [{name}, {{ find: {function or 'null'}, copies: {str(copies).lower()}, "
        f"databases: {databases}, names: {names} }}],"
    ),
    bucket_of=lambda name, function: f"  [{name}, {function}],",
    whole="DATABASES",
    some=lambda names: f"[{', '.join(names)}]",
    imports="\n".join,
    order=_ORDER,
)


def with_types(text: str) -> str:
    """TypeScript of what is written for both languages."""
    return text.replace("«", "").replace("»", "")


def without_types(text: str) -> str:
    """JavaScript of what is written for both languages."""
    return re.sub(r"«[^»]*»", "", text)
