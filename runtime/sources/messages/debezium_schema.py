"""Whether the schema beside a Debezium event fits the modes that the spec states, and whether a converter may have
replaced NULLs.

Pure. Used in Spark tasks, and in the driver for single messages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from shardwright.compiler.plan.catalogue import SPATIALS, Column
from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.messages.images import TableImages
from shardwright.runtime.sources.messages.json_text import quote
from shardwright.specs.findings.remedies import START_OVER
from shardwright.specs.spec.stream_format import StreamFormat

_TIME = "io.debezium.time."
_CONNECT = "org.apache.kafka.connect.data."
_DECIMAL = f"{_CONNECT}Decimal"
_REMEDY = "State the connector's modes under source.stream in the spec, or change the connector's to those"


class NullsAndModes:
    """Judges each table's schema once, and again when it changes."""

    def __init__(self, modes: StreamFormat) -> None:
        self._modes = modes
        self._judged: dict[str, Any] = {}

    def check(self, images: TableImages, schema: Any, where: object) -> None:
        """`schema` is None for messages without one. Raises Refused when values would be read wrong, or NULL cannot be
        recognised."""
        unknown = object()
        if self._judged.get(images.table, unknown) == schema:
            return
        if schema is None:
            self._require_nulls(images, {}, where)
        else:
            fields = _row_fields(schema)
            for column in images.columns:
                self._require_mode(images, column, fields.get(column.name), where)
            self._require_nulls(images, fields, where)
        self._judged[images.table] = schema

    def _require_mode(
        self, images: TableImages, column: Column, found: Mapping[str, Any] | None, where: object
    ) -> None:
        if found is None:
            return  # the row lacks the column too, and is refused for that
        described = (found.get("type"), found.get("name"))
        if not any(described == expected for expected in _schema_types(column, self._modes)):
            raise Refused(
                "SW8436",
                f"{where} ({self._modes.name}), table {images.table}, column {column.name} of type {column.type.name}: "
                f"the message's schema says {quote(described[0])}{f' ({described[1]})' if described[1] else ''}, which "
                f"is not what decimal={self._modes.decimal}, time_precision={self._modes.time_precision}, "
                f"binary={self._modes.binary} write. {_REMEDY}",
            )

    def _require_nulls(self, images: TableImages, fields: Mapping[str, Mapping[str, Any]], where: object) -> None:
        if self._modes.nulls == "kept":
            return
        for column in images.columns:
            field = fields.get(column.name)
            if column.nullable and (field is None or field.get("default") is not None):
                raise Refused(
                    "SW8437",
                    f"{where} ({self._modes.name}), table {images.table}, column {column.name}: Kafka Connect's JSON "
                    "converter writes a column's default where the row has NULL. Set "
                    "value.converter.replace.null.with.default=false, then state nulls: kept under source.stream; for "
                    f"what was written before, {START_OVER}",
                )


def _row_fields(schema: Any) -> dict[str, Mapping[str, Any]]:
    """The fields of the row after the change, by name; {} when the schema has another shape."""
    fields = schema.get("fields") if isinstance(schema, dict) else None
    for part in fields if isinstance(fields, list) else ():
        if isinstance(part, dict) and part.get("field") == "after" and isinstance(part.get("fields"), list):
            return {
                str(field["field"]): field for field in part["fields"] if isinstance(field, dict) and "field" in field
            }
    return {}


def _schema_types(column: Column, modes: StreamFormat) -> Iterator[tuple[str, str | None]]:
    kind = column.type
    name = "binary" if kind.is_bytes and kind.name not in SPATIALS | {"bit"} else kind.name
    if name == "bigint" and kind.unsigned:
        yield "int64", None
        yield "bytes", _DECIMAL
    elif kind.is_integer:
        yield from (("int16", None), ("int32", None), ("int64", None))
    elif name == "decimal":
        yield ("string", None) if modes.decimal == "string" else ("bytes", _DECIMAL)
    elif name == "binary":
        yield ("bytes" if modes.binary == "bytes" else "string"), None
    elif name == "bit":
        yield ("boolean", None) if (kind.length or 1) == 1 else ("bytes", "io.debezium.data.Bits")
    elif name in SPATIALS:
        yield from (("struct", f"io.debezium.data.geometry.{shape}") for shape in ("Geometry", "Point"))
    elif name in ("float", "double"):
        yield from (("float", None), ("double", None))
    elif name in ("enum", "set"):
        yield "string", f"io.debezium.data.Enum{'Set' if name == 'set' else ''}"
    elif name in ("date", "datetime", "time"):
        yield _temporal(name, kind.precision or 0, modes.time_precision)
    elif name == "timestamp":
        yield "string", f"{_TIME}ZonedTimestamp"
    elif name == "year":
        yield "int32", f"{_TIME}Year"
    else:
        yield from (("string", None), ("string", "io.debezium.data.Json"))


def _temporal(name: str, digits: int, precision: str) -> tuple[str, str]:
    kind = {"date": "Date", "datetime": "Timestamp", "time": "Time"}[name]
    if precision == "isostring":
        return "string", f"{_TIME}Iso{kind}"
    if precision == "connect":
        return ("int32" if name in ("date", "time") else "int64"), f"{_CONNECT}{kind}"
    if name == "date":
        return "int32", f"{_TIME}Date"
    if precision == "nanoseconds":
        return "int64", f"{_TIME}Nano{kind}"
    micro = name == "time" or precision == "microseconds" or digits > 3
    return "int64", f"{_TIME}{'Micro' if micro else ''}{kind}"
