"""From one number to database and table: the layouts that hash algorithms share."""

from __future__ import annotations

from shardwright.compiler.expressions.division import divided, floor_modulo
from shardwright.compiler.expressions.expression import IntegerExpression
from shardwright.compiler.expressions.leaves import IntegerLiteral
from shardwright.compiler.sharding.function import ShardFunction
from shardwright.compiler.sharding.request import Grid


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
        return ShardFunction(divided(place, tables), floor_modulo(place, tables))
    if value.interval.low >= 0:
        return ShardFunction(floor_modulo(value, databases), floor_modulo(divided(value, databases), tables))
    return ShardFunction(floor_modulo(value, databases), divided(place, databases))
