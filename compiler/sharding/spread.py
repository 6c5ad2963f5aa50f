"""From one number to database and table: the layouts that hash algorithms share, and how a digest counts (option
`remainder`).
"""

from __future__ import annotations

from shardwright.compiler.expressions.arithmetic import divide, floor_modulo
from shardwright.compiler.expressions.expression import IntegerExpression
from shardwright.compiler.expressions.leaves import IntegerLiteral
from shardwright.compiler.expressions.words import Absolute, to_signed
from shardwright.compiler.sharding.function import Grid, Request, ShardFunction


def apply_remainder(digest: IntegerExpression, request: Request, *, bits: int) -> IntegerExpression:
    """unsigned  as it is, 0 to 2^bits - 1
    floor     as a signed integer, whose remainders are floor moduli: Java's `Math.floorMod(hash, n)`
    absolute  the signed integer's absolute value: `Math.abs((long) hash) % n`
    """
    match request.word("remainder", "unsigned"):
        case "floor":
            return to_signed(digest, bits)
        case "absolute":
            return Absolute(to_signed(digest, bits))
        case _:
            return digest


def spread(value: IntegerExpression, grid: Grid, layout: str) -> ShardFunction:
    """`value` may be negative: remainders are floor moduli then, and quotients are rounded down.

    divided    database = value mod n, table = floor(value / n) mod m: every table of every database is used
    same_rest  database = value mod n, table = value mod m: two independent strategies over one key, as they are often
               configured; databases use only some of their tables when n and m have a common factor
    blocks     t = value mod (n * m): database = t div m, table = t mod m: tables counted through all databases
    """
    databases, tables = len(grid.databases), grid.tables
    if tables == 1:
        return ShardFunction(floor_modulo(value, databases), IntegerLiteral(0))
    if layout == "same_rest":
        return ShardFunction(floor_modulo(value, databases), floor_modulo(value, tables))
    place = floor_modulo(value, databases * tables)
    if layout == "blocks":
        return ShardFunction(divide(place, tables), floor_modulo(place, tables))
    if value.interval.low >= 0:
        return ShardFunction(floor_modulo(value, databases), floor_modulo(divide(value, databases), tables))
    return ShardFunction(floor_modulo(value, databases), divide(place, databases))
