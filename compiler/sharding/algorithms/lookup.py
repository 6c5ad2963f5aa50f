"""`lookup`: each listed key has a place, all others have the default. The list is in the spec (`map`) or in a CSV
file.

A map from a value straight to database and table is this algorithm too, with places such as `order_db_00/_07`. Texts
are compared byte for byte, not by the column's collation.
"""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.compiler.expressions.expression import BytesExpression, IntegerExpression, TextExpression
from shardwright.compiler.expressions.ladder import ListedValue, ValueChoice
from shardwright.compiler.expressions.leaves import DateColumn
from shardwright.compiler.expressions.make import Refusal
from shardwright.compiler.sharding.csv_text import Cell, CsvFault, read_csv
from shardwright.compiler.sharding.function import Request, ShardFunction
from shardwright.compiler.sharding.key_values import NotOfType, key_value
from shardwright.compiler.sharding.places import Place, read_place, refuse_mixed, table_within
from shardwright.specs.findings.diagnostics import Note, Span
from shardwright.specs.findings.wording import quote

Entry = tuple[str, Span, str | int, Span]
"""Key and place as written, each with where it stands."""

MOST_KEYS = 100_000


def lookup(request: Request) -> ShardFunction | None:
    key = request.key()
    if isinstance(key, DateColumn) or not isinstance(key, IntegerExpression | TextExpression | BytesExpression):
        raise Refusal("SW5008", "algorithm lookup takes integers, text and bytes", "range takes dates")
    default = read_place(request, request.rule.options.get("default"), request.span("default"))
    places = _places(request)
    if default is None or places is None or refuse_mixed(request, [default, *places.values()], "default"):
        return None
    database = ValueChoice(key, {value: place.database for value, place in places.items()}, default.database)
    table = ValueChoice(key, {value: place.table or 0 for value, place in places.items()}, default.table or 0)
    return ShardFunction(database, table_within(request, [default, *places.values()], table))


def _places(request: Request) -> dict[ListedValue, Place] | None:
    entries = _of_file(request) if request.rule.lookup_file is not None else _of_map(request)
    found: dict[ListedValue, Place] = {}
    seen: dict[ListedValue, Span] = {}
    sound = entries is not None
    for written, key_span, place_written, place_span in entries or ():
        place = read_place(request, place_written, place_span)
        try:
            value = key_value(written, request.column)
        except NotOfType as wanted:
            message = f"{quote(written)} is not {wanted}, as column '{request.column.name}' has"
            request.findings.error("SW5017", message, key_span)
            sound = False
            continue
        if value in seen:
            notes = (Note("first written at", seen[value]),)
            request.findings.error("SW5017", f"the key {quote(written)} is there twice", key_span, notes=notes)
            sound = False
        seen[value] = key_span
        if place is None:
            sound = False
        else:
            found[value] = place
    return found if sound else None


def _of_map(request: Request) -> list[Entry]:
    return [
        (written, request.span("map", written), place, request.span("map", written))
        for written, place in request.entries("map").items()
        if isinstance(place, (str, int))
    ]


def _of_file(request: Request) -> list[Entry] | None:
    file = request.rule.lookup_file or ""
    try:
        rows = read_csv(request.files.get(file, ""), file=file)
        return list(_entries(request, rows, file))
    except CsvFault as fault:
        notes = (Note("the file is named at", request.span("file")),)
        request.findings.error("SW5018", fault.message, fault.span, notes=notes)
        return None


def _entries(request: Request, rows: Iterator[tuple[Cell, ...]], file: str) -> Iterator[Entry]:
    header = next(rows, ())
    names = [cell.text.strip().lower() for cell in header]
    wanted = [request.rule.shard_key[0].lower(), "database", "table"]
    if names not in (wanted, wanted[:2]):
        place = header[0].span if header else Span(file, 1, 1)
        raise CsvFault(f"the header must be {','.join(wanted[:2])} or {','.join(wanted)}", place)
    for number, row in enumerate(rows, start=1):
        if len(row) != len(names):
            raise CsvFault(f"this line has {len(row)} cells, the header {len(names)}", row[0].span)
        if number > MOST_KEYS:
            raise CsvFault(f"more than {MOST_KEYS} keys", row[0].span)
        written = row[1].text if len(row) == 2 else f"{row[1].text}/{row[2].text}"
        yield row[0].text, row[0].span, written, row[1].span
