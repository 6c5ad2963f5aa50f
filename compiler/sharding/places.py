"""Places by name: `order_db_03`, its index, or `order_db_03/_07` for one physical table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shardwright.compiler.expressions.arithmetic import Modulo
from shardwright.compiler.expressions.expression import Expression, IntegerExpression
from shardwright.compiler.expressions.functions import CRC32, SUBSTR
from shardwright.compiler.expressions.leaves import DateColumn, IntegerLiteral
from shardwright.compiler.sharding.function import Request
from shardwright.compiler.sharding.keys import text_to_hash
from shardwright.specs.findings.diagnostics import Note, Span
from shardwright.specs.findings.wording import did_you_mean, quote


@dataclass(frozen=True, slots=True)
class Place:
    """`table` is None where `tables_by` chooses it."""

    database: int
    table: int | None


def read_place(request: Request, written: object, span: Span) -> Place | None:
    """The place that was meant; None after a finding."""
    grid = request.grid
    if isinstance(written, int):
        if not 0 <= written < len(grid.databases):
            last = len(grid.databases) - 1
            _unknown(request, f"there is no database {written}: they are counted from 0 to {last}", span, None)
            return None
        return _whole(request, written, grid.databases[written], span)
    database, slash, suffix = str(written).partition("/")
    if database not in grid.databases:
        hint = did_you_mean(database, grid.databases[:1000])
        _unknown(request, f"{quote(database)} is not a target database", span, hint)
        return None
    index = grid.databases.index(database)
    if not slash:
        return _whole(request, index, database, span)
    if suffix not in grid.suffixes:
        hint = did_you_mean(suffix, grid.suffixes[:1000])
        _unknown(request, f"{quote(suffix)} is no table suffix of the target", span, hint)
        return None
    return Place(index, grid.suffixes.index(suffix))


def _whole(request: Request, index: int, name: str, span: Span) -> Place | None:
    if request.grid.tables == 1:
        return Place(index, 0)
    if "tables_by" in request.rule.options or request.rule.algorithm == "weighted":
        return Place(index, None)
    suffix = request.grid.suffixes[0]
    hint = f"name the table, {name}/{suffix}, or let its rows be spread: tables_by: crc32"
    _unknown(request, f"'{name}' has {request.grid.tables} tables: which one?", span, hint)
    return None


def _unknown(request: Request, message: str, span: Span, hint: str | None) -> None:
    notes = (Note("target databases are at", request.span_of(("target", "databases"))),)
    request.findings.error("SW5015", message, span, hint=hint, notes=notes)


def places_in_order(request: Request, wanted: int, what: str) -> tuple[Place, ...] | None:
    """The places of `wanted` ranges: those of option `places`, else all physical tables, database by database."""
    if "places" not in request.rule.options:
        return _every_place(request, wanted, what)
    written = request.items("places")
    found = [read_place(request, item, request.span("places", index)) for index, item in enumerate(written)]
    if len(written) != wanted:
        message = f"{wanted} {what}, but {len(written)} places"
        request.error("SW5016", message, "places", hint="every one needs a place")
        return None
    present = tuple(place for place in found if place is not None)
    return present if len(present) == len(found) else None


def _every_place(request: Request, wanted: int, what: str) -> tuple[Place, ...] | None:
    grid = request.grid
    if "tables_by" in request.rule.options:
        every = tuple(Place(database, None) for database in range(len(grid.databases)))
    else:
        every = tuple(Place(d, t) for d in range(len(grid.databases)) for t in range(grid.tables))
    if wanted != len(every):
        unit = "databases" if "tables_by" in request.rule.options or grid.tables == 1 else "physical tables"
        message = f"{wanted} {what}, but {len(every)} {unit}"
        place = "boundaries" if "boundaries" in request.rule.options else "step"
        request.error("SW5016", message, place, hint="give each its place: places: [...]")
        return None
    return every


def table_within(request: Request, places: Sequence[Place], chosen: IntegerExpression) -> IntegerExpression:
    """`chosen` gives the table of places that name one; where none does, `tables_by` spreads the rows."""
    if request.grid.tables == 1:
        return IntegerLiteral(0)
    if all(place.table is None for place in places):
        return Modulo(CRC32.check(_spread_by(request)), request.grid.tables)
    return chosen


def refuse_mixed(request: Request, places: Sequence[Place], option: str) -> bool:
    """Whether some places name a table and others do not: refused, because a reader could not tell what holds."""
    named = {place.table is None for place in places}
    if len(named) < 2:
        return False
    message = "some places name a table and some only a database"
    request.error("SW5015", message, option, hint="name a table in all of them, or in none")
    return True


def _spread_by(request: Request) -> Expression:
    """Dates spread by their day."""
    key = request.keys[0]
    return SUBSTR(key, 1, 10) if isinstance(key, DateColumn) else text_to_hash(request)
