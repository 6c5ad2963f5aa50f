"""A shard key of one or several columns as the input of a hash function."""

from __future__ import annotations

from shardwright.compiler.expressions import make
from shardwright.compiler.expressions.expression import (
    BytesExpression,
    Expression,
    IntegerExpression,
    TextExpression,
)
from shardwright.compiler.expressions.functions import CONCAT
from shardwright.compiler.expressions.hash_input import HashInput, IntegerInput, OctetsInput
from shardwright.compiler.expressions.leaves import DateColumn, IntegerColumn, TextLiteral
from shardwright.compiler.expressions.make import Refusal
from shardwright.compiler.sharding.function import Request


def text_to_hash(request: Request) -> TextExpression | BytesExpression:
    """What text hashes read. One column: its text, an integer's decimal digits, or its bytes. Several: their texts with
    the separator between them, ('a', 'b:c') and ('a:b', 'c') alike: equal input only means an equal shard."""
    for column, key in zip(request.columns, request.keys, strict=True):
        if isinstance(key, DateColumn):
            message = f"column '{column.name}' is {column.type.name}: no type to hash"
            raise Refusal("SW3005", message, "algorithms range and interval take dates")
    if len(request.keys) == 1:
        key = request.keys[0]
        return key if isinstance(key, BytesExpression) else make.as_text(key, str(request.rule.algorithm))
    separator = TextLiteral(_separator(request))
    parts: list[Expression] = []
    for key in request.keys:
        parts += [separator, key]
    return CONCAT.check(*parts[1:])


def _separator(request: Request) -> str:
    """Printable ASCII only, like every literal of an expression."""
    separator = request.word("separator", ":")
    if not separator.isascii() or not separator.isprintable() or "\\" in separator or "${" in separator:
        message = f"the separator {separator!r} may hold printable ASCII without a backslash or '${{' only"
        raise Refusal("SW5014", message)
    return separator


def hash_input(request: Request) -> HashInput:
    """What murmur3_32 and xxhash64 read: integers as their bytes unless `integers: as_text`, everything else as
    text."""
    integers = request.word("integers", "as_long")
    key = request.keys[0]
    if len(request.keys) > 1 or not isinstance(key, IntegerExpression) or integers == "as_text":
        return OctetsInput(text_to_hash(request))
    return IntegerInput(key, 4 if integers == "as_column" and is_java_int(key) else 8)


def is_java_int(key: IntegerExpression) -> bool:
    """Whether JDBC gives the column's values as Integer rather than Long or BigInteger (MySQL Connector/J, "Java,
    JDBC, and MySQL Types": TINYINT, SMALLINT, MEDIUMINT with and without a sign, and INT)."""
    if not isinstance(key, IntegerColumn):
        return False
    return key.type.name != "bigint" and not (key.type.name == "int" and key.type.unsigned)
