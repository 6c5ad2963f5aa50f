"""How a digest counts: option `remainder`."""

from __future__ import annotations

from shardwright.compiler.expressions.expression import IntegerExpression
from shardwright.compiler.expressions.words import Absolute, signed
from shardwright.compiler.sharding.request import Request


def counted(digest: IntegerExpression, request: Request, *, bits: int) -> IntegerExpression:
    """unsigned  as it is, 0 to 2^bits - 1
    floor     as a signed integer, whose remainders are floor moduli: Java's `Math.floorMod(hash, n)`
    absolute  the signed integer's absolute value: `Math.abs((long) hash) % n`
    """
    match request.word("remainder", "unsigned"):
        case "floor":
            return signed(digest, bits)
        case "absolute":
            return Absolute(signed(digest, bits))
        case _:
            return digest
