"""Go's words for the steps of a sharding function. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from shardwright.compiler.router.language import Language, Statements
from shardwright.compiler.router.layout import FileLayout
from shardwright.compiler.router.templates import C_LIKE, SIGNS, compare_by, quote_json, read_steps
from shardwright.compiler.router.terms import Kind

_STEPS = {
    **C_LIKE,
    **read_steps(quote_json),
    "read_wide": "requiredWide({0}, wide(key, {0}, {1}, {2}))",
    "number_int": "", "number_wide": "",
    "div": "({0} / {1})", "div_plain": "({0} / {1})",
    "add_wide": "new(big.Int).Add({0}, {1})", "sub_wide": "new(big.Int).Sub({0}, {1})",
    "mul_wide": "new(big.Int).Mul({0}, {1})", "neg_wide": "new(big.Int).Neg({0})",
    "mod_wide": "new(big.Int).Rem({0}, {1})", "div_wide": "new(big.Int).Quo({0}, {1})",
    "mod_wide_long": "new(big.Int).Rem({0}, {1})", "div_wide_long": "new(big.Int).Quo({0}, {1})",
    "widen": "big.NewInt({0})", "narrow": "{0}.Int64()",
    "abs": "absOf({0})", "abs_wide": "new(big.Int).Abs({0})", "signed_long": "int64({0}.Uint64())",
    "digits": "strconv.FormatInt({0}, 10)", "digits_wide": "{0}.String()",
    "leading_integer": "leadingInteger({0})",
    "concat": "({0} + {1})",
    "substr": "substr({0}, {1}, {2})", "substr_to_end": "substr({0}, {1}, math.MaxInt32)",
    "right": "rightOf({0}, {1})", "upper": "upperOf({0})", "lower": "lowerOf({0})",
    "hex": "hexOf({0})", "sha2": "sha2({0}, {1})",
    "char_length": "int64(utf8.RuneCountInString({0}))", "byte_length": "int64(len({0}))",
    "utf8": "[]byte({0})", "crc32": "int64(crc32.ChecksumIEEE({0}))", "md5_prefix": "md5Prefix({0}, {1})",
    "low_half": "({0} & 0xFFFFFFFF)", "high_half": "int64(uint64({0}) >> 32)",
    "java_hash": "javaHash({0})", "murmur3": "murmur3({0}, {1})",
    "xxhash64": "new(big.Int).SetUint64(xxhash64({0}, {1}))",
    "little_endian": "littleEndian(uint64({0}), {1})", "little_endian_wide": "littleEndian({0}.Uint64(), {1})",
    "ladder": "{table}.at({0})", "ladder_wide": "{table}.at({0})",
    "pick": "{table}[{0}]", "lookup": "listed({table}, {0}, {default})",
    "clamp": "min(max({0}, {1}), {2})",
    **{word: f"({{0}} {sign} {{1}})" for word, sign in SIGNS.items()},
    **dict(compare_by("({0}.Cmp({1}) {sign} 0)", ["wide"])),
    **dict(compare_by("({0} {sign} {1})", ["text"])),
    **dict(compare_by("(bytes.Compare({0}, {1}) {sign} 0)", ["bytes"])),
    "eq_bool": "({0} == {1})", "ne_bool": "({0} != {1})",
    "is_null": "({0} == nil)", "is_true": "({0} != nil && *{0})", "is_false": "({0} != nil && !*{0})",
}  # fmt: skip

_TYPES = {
    Kind.INT: "int64",
    Kind.WIDE: "*big.Int",
    Kind.TEXT: "string",
    Kind.BYTES: "[]byte",
    Kind.BOOL: "bool",
}


def _integer(value: int, kind: Kind) -> str:
    if kind is Kind.WIDE:
        return f'bigOf("{value}")'
    return f"int64({value})"


def _numbers(values: Iterable[int], kind: str = "int64") -> str:
    return f"[]{kind}{{{', '.join(map(str, values))}}}"


def _ladder(name: str, table: Any) -> str:
    return f"var {name} = steps{{{_numbers(table[0])}, {_numbers(table[1])}}}"


def _wide_ladder(name: str, table: Any) -> str:
    wide = ", ".join(f'bigOf("{number}")' for number in table[0])
    return f"var {name} = wideSteps{{[]*big.Int{{{wide}}}, {_numbers(table[1])}}}"


def _lookup(name: str, table: Any) -> str:
    entries = "".join(f"\t{quote_json(str(key))}: {to},\n" for key, to in table)
    return f"var {name} = map[string]int64{{\n{entries}}}"


GO = Language(
    name="go",
    extension="go",
    steps=_STEPS,
    types=_TYPES,
    nullable={kind: name if kind is Kind.WIDE else f"*{name}" for kind, name in _TYPES.items()},
    null="nil",
    some={**dict.fromkeys(Kind, "pointer({0})"), Kind.WIDE: "{0}"},
    value={**dict.fromkeys(Kind, "*{0}"), Kind.WIDE: "{0}"},
    statements=Statements(
        declare="var {name} {type}",
        define="var {name} {type} = {value}",
        assign="{name} = {value}",
        first_test="if {test} {{",
        next_test="}} else if {test} {{",
        otherwise="} else {",
        end="}",
        function="func {name}(key Key) (int64, int64) {{",
        answer="return {database}, {table}",
        last="}",
    ),
    integer=_integer,
    quote=quote_json,
    tables={
        "ladder": _ladder,
        "ladder_wide": _wide_ladder,
        "pick": lambda name, table: f"var {name} = {_numbers(table)}",
        "lookup": _lookup,
    },
    tab="\t",
)

_ORDER = """// Package shardrouter says where the rows of a migration are. Made by `shardwright router`: do not edit, make it again.
//
// A key has the values as the server gives them back: integers, texts, bytes, dates as texts such as 2024-01-31 (a
// TIMESTAMP in UTC). Go 1.21.
package shardrouter

import (
@IMPORTS@
)

@FRAME@

@CONSTANTS@

@FUNCTIONS@

@HELPERS@

var tables map[string]tableOf

func init() {
	tables = map[string]tableOf{
@TABLES@
	}
}
"""  # noqa: E501

GO_FILE = FileLayout(
    quote=quote_json,
    entry_of=lambda name, function, copies, databases, names: (
        f"\t\t{name}: {{{function or 'nil'}, {str(copies).lower()}, {databases}, {names}}},"
    ),
    bucket_of=lambda name, function: f"\t\t{name}: {function},",
    whole="Databases",
    some=lambda names: f"[]string{{{', '.join(names)}}}",
    imports=lambda lines: "\n".join(f'\t"{line}"' for line in lines),
    order=_ORDER,
)
