"""Java's words for the steps of a sharding function. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from shardwright.compiler.router.language import Declare, Language, Statements
from shardwright.compiler.router.layout import FileLayout
from shardwright.compiler.router.templates import C_LIKE, SIGNS, compare_by, read_steps
from shardwright.compiler.router.terms import Kind

_LONGEST = 12_000
"""Characters of one literal: 65,535 bytes is Java's own limit, and an escape has six characters."""


def quote(text: str) -> str:
    return json.dumps(text)


def _literals(text: str) -> str:
    """As arguments."""
    return ", ".join(quote(text[at : at + _LONGEST]) for at in range(0, max(1, len(text)), _LONGEST))


def _numbers(values: Iterable[int]) -> str:
    return f"List.of({_literals(','.join(map(str, values)))})"


def _ladder(kind: str) -> Declare:
    def declare(name: str, table: Any) -> str:
        boundaries, results = table
        return f"    private static final {kind} {name} = new {kind}({_numbers(boundaries)}, {_numbers(results)});"

    return declare


def _lookup(name: str, table: Any) -> str:
    """A class has no room for many thousands of literals: keys are hexadecimal digits in a few long ones."""
    entries = ",".join(f"{str(key).encode().hex()}={to}" for key, to in table)
    return f"    private static final Map<String, Long> {name} = listed(List.of({_literals(entries)}));"


_STEPS = {
    **C_LIKE,
    **read_steps(quote),
    "number_int": "", "number_wide": "",
    "div": "({0} / {1})", "div_plain": "({0} / {1})",
    "add_wide": "{0}.add({1})", "sub_wide": "{0}.subtract({1})", "mul_wide": "{0}.multiply({1})",
    "neg_wide": "{0}.negate()", "mod_wide": "{0}.remainder({1})", "div_wide": "{0}.divide({1})",
    "mod_wide_long": "{0}.remainder({1})", "div_wide_long": "{0}.divide({1})",
    "widen": "BigInteger.valueOf({0})", "narrow": "{0}.longValueExact()",
    "abs": "Math.abs({0})", "abs_wide": "{0}.abs()", "signed_long": "{0}.longValue()",
    "digits": "Long.toString({0})", "digits_wide": "{0}.toString()",
    "leading_integer": "leadingInteger({0})",
    "concat": "({0} + {1})",
    "substr": "substr({0}, {1}, {2})", "substr_to_end": "substr({0}, {1}, Integer.MAX_VALUE)",
    "right": "rightOf({0}, {1})", "upper": "upperOf({0})", "lower": "lowerOf({0})",
    "hex": "hexOf({0}, \"%02X\")", "sha2": "sha2({0}, {1})",
    "char_length": "charLength({0})", "byte_length": "byteLength({0})",
    "utf8": "utf8({0})", "crc32": "crc32({0})", "md5_prefix": "md5Prefix({0}, {1})",
    "low_half": "({0} & 0xFFFFFFFFL)", "high_half": "({0} >>> 32)",
    "java_hash": "({0}.hashCode() & 0xFFFFFFFFL)", "murmur3": "murmur3({0}, {1})",
    "xxhash64": "unsigned(xxhash64({0}, {1}))",
    "little_endian": "littleEndian({0}, {1})", "little_endian_wide": "littleEndian({0}.longValue(), {1})",
    "ladder": "{table}.at({0})", "ladder_wide": "{table}.at({0})",
    "pick": "{table}[(int) {0}]", "lookup": "{table}.getOrDefault({0}, {default})",
    "clamp": "Math.min(Math.max({0}, {1}), {2})",
    **{word: f"({{0}} {sign} {{1}})" for word, sign in SIGNS.items()},
    **dict(compare_by("({0}.compareTo({1}) {sign} 0)", ["wide"])),
    **dict(compare_by("(compare(utf8({0}), utf8({1})) {sign} 0)", ["text"])),
    **dict(compare_by("(compare({0}, {1}) {sign} 0)", ["bytes"])),
    "eq_bool": "({0} == {1})", "ne_bool": "({0} != {1})",
    "is_null": "({0} == null)", "is_true": "Boolean.TRUE.equals({0})", "is_false": "Boolean.FALSE.equals({0})",
}  # fmt: skip


def _integer(value: int, kind: Kind) -> str:
    return f'new BigInteger("{value}")' if kind is Kind.WIDE else f"{value}L" if value >= 0 else f"({value}L)"


_TYPES = {
    Kind.INT: "long",
    Kind.WIDE: "BigInteger",
    Kind.TEXT: "String",
    Kind.BYTES: "byte[]",
    Kind.BOOL: "boolean",
}

JAVA = Language(
    name="java",
    extension="java",
    steps=_STEPS,
    types=_TYPES,
    nullable={**_TYPES, Kind.INT: "Long", Kind.BOOL: "Boolean"},
    null="null",
    some=dict.fromkeys(Kind, "{0}"),
    value={**dict.fromkeys(Kind, "{0}"), Kind.INT: "((long) {0})", Kind.BOOL: "((boolean) {0})"},
    statements=Statements(
        declare="final {type} {name};",
        define="final {type} {name} = {value};",
        assign="{name} = {value};",
        first_test="if ({test}) {{",
        next_test="}} else if ({test}) {{",
        otherwise="} else {",
        end="}",
        function="private static long[] {name}(Map<String, ?> key) {{",
        answer="return new long[] {{{database}, {table}}};",
        last="}",
    ),
    integer=_integer,
    quote=quote,
    tables={
        "ladder": _ladder("Steps"),
        "ladder_wide": _ladder("WideSteps"),
        "pick": lambda name, table: f"    private static final long[] {name} = numbers({_numbers(table)});",
        "lookup": _lookup,
    },
    indent=4,
)


def _name_list(names: Iterable[str]) -> str:
    """Names have no line breaks; one literal takes less room in a class than many."""
    return f"names({_literals(chr(10).join(json.loads(name) for name in names))})"


JAVA_FILE = FileLayout(
    quote=quote,
    entry_of=lambda name, function, copies, databases, names: (
        f"        TABLES.put({name}, new Table({f'ShardRouter::{function}' if function else 'null'}, "
        f"{str(copies).lower()}, {databases}, {names}));"
    ),
    bucket_of=lambda name, function: f"        BUCKET_OF.put({name}, ShardRouter::{function});",
    whole="DATABASES",
    some=_name_list,
    imports=lambda lines: "\n".join(f"import {line};" for line in lines),
    order="@IMPORTS@\n\n@FRAME@\n",
)
