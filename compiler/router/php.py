"""PHP's words for the steps of a sharding function. Pure.

An integer beyond 63 bits is a text of decimal digits, which PHP can divide but not add: a rule that needs that is
refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from shardwright.compiler.router.language import Language, Statements
from shardwright.compiler.router.layout import FileLayout
from shardwright.compiler.router.templates import C_LIKE, SIGNS, compare_by, read_steps
from shardwright.compiler.router.terms import Kind


def quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


_STEPS = {
    **C_LIKE,
    **read_steps(quote, owner="self::", key="$key"),
    "number_int": "", "number_wide": "",
    "div": "intdiv({0}, {1})", "div_plain": "intdiv({0}, {1})",
    "neg_wide": "self::negated({0})", "abs_wide": "ltrim({0}, '-')",
    "mod_wide": "self::divided({0}, {1})[1]", "div_wide": "self::divided({0}, {1})[0]",
    "widen": "((string) {0})", "narrow": "((int) {0})",
    "abs": "abs({0})", "signed_long": "self::bits({0})",
    "digits": "((string) {0})", "digits_wide": "{0}",
    "leading_integer": "self::leadingInteger({0})",
    "concat": "({0} . {1})",
    "substr": "self::substr({0}, {1}, {2})", "substr_to_end": "self::substr({0}, {1}, 0x7FFFFFFF)",
    "right": "self::rightOf({0}, {1})", "upper": "self::upperOf({0})", "lower": "self::lowerOf({0})",
    "hex": "strtoupper(bin2hex({0}))", "sha2": "hash('sha' . {1}, {0})",
    "char_length": "count(self::letters({0}))", "byte_length": "strlen({0})",
    "utf8": "{0}", "crc32": "crc32({0})", "md5_prefix": "hexdec(substr(md5({0}), 0, {1}))",
    "low_half": "({0} & 0xFFFFFFFF)", "high_half": "(({0} >> 32) & 0xFFFFFFFF)",
    "java_hash": "self::javaHash({0})",
    "murmur3": "hexdec(hash('murmur3a', {0}, false, ['seed' => {1}]))",
    "xxhash64": "self::xxhash64({0}, {1})",
    "little_endian": "substr(pack('P', {0}), 0, {1})",
    "little_endian_wide": "substr(pack('P', self::bits({0})), 0, {1})",
    "ladder": "self::ladder(self::{table}, {0})", "ladder_wide": "self::wideLadder(self::{table}, {0})",
    "pick": "self::{table}[{0}]", "lookup": "(self::{table}[{0}] ?? {default})",
    "clamp": "min(max({0}, {1}), {2})",
    **{word: f"({{0}} {sign} {{1}})" for word, sign in {**SIGNS, "eq": "===", "ne": "!=="}.items()},
    **dict(compare_by("(self::compared({0}, {1}) {sign} 0)", ["wide"])),
    **dict(compare_by("(strcmp({0}, {1}) {sign} 0)", ["text", "bytes"])),
    "eq_bool": "({0} === {1})", "ne_bool": "({0} !== {1})",
    "is_null": "({0} === null)", "is_true": "({0} === true)", "is_false": "({0} === false)",
}  # fmt: skip


def _integer(value: int, kind: Kind) -> str:
    if kind is Kind.WIDE:
        return quote(str(value))
    if value == -(2**63):
        return "PHP_INT_MIN"
    return str(value) if value >= 0 else f"({value})"


def _numbers(values: Iterable[int], kind: Kind = Kind.INT) -> str:
    return f"[{', '.join(_integer(number, kind) for number in values)}]"


def _ladder(name: str, table: Any) -> str:
    return f"    private const {name} = [{_numbers(table[0])}, {_numbers(table[1])}];"


def _wide_ladder(name: str, table: Any) -> str:
    return f"    private const {name} = [{_numbers(table[0], Kind.WIDE)}, {_numbers(table[1])}];"


def _lookup(name: str, table: Any) -> str:
    entries = "".join(f"        {quote(str(key))} => {to},\n" for key, to in table)
    return f"    private const {name} = [\n{entries}    ];"


PHP = Language(
    name="php",
    extension="php",
    steps=_STEPS,
    types=dict.fromkeys(Kind, ""),
    nullable=dict.fromkeys(Kind, ""),
    null="null",
    some=dict.fromkeys(Kind, "{0}"),
    value=dict.fromkeys(Kind, "{0}"),
    statements=Statements(
        declare="",
        define="{name} = {value};",
        assign="{name} = {value};",
        first_test="if ({test}) {{",
        next_test="}} elseif ({test}) {{",
        otherwise="} else {",
        end="}",
        function="private static function {name}(array $key): array\n    {{",
        answer="return [{database}, {table}];",
        last="}",
    ),
    integer=_integer,
    quote=quote,
    tables={
        "ladder": _ladder,
        "ladder_wide": _wide_ladder,
        "pick": lambda name, table: f"    private const {name} = {_numbers(table)};",
        "lookup": _lookup,
    },
    variable="${0}",
    indent=4,
)

_ORDER = """<?php

declare(strict_types=1);

@FRAME@
"""

PHP_FILE = FileLayout(
    quote=quote,
    entry_of=lambda name, function, copies, databases, names: (
        f"        {name} => [{quote(function) if function else 'null'}, {str(copies).lower()}, {databases}, {names}],"
    ),
    bucket_of=lambda name, function: f"        {name} => {quote(function)},",
    whole="self::DATABASES",
    some=lambda names: f"[{', '.join(names)}]",
    imports="\n".join,
    order=_ORDER,
)
