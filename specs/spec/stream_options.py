"""The options under `source.stream`: read, and judged for what a format can carry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.findings.span import Path
from shardwright.specs.shape.shape import lies_within
from shardwright.specs.spec.stream_format import (
    BinaryMode,
    DecimalMode,
    FormatName,
    Nulls,
    StreamFormat,
    TimePrecision,
    ZeroDates,
)
from shardwright.specs.yaml.document import mapping, text
from shardwright.specs.yaml.source import YamlSource

_PLACE: Path = ("source", "stream")
_FORMATS_WITH: Mapping[str, tuple[FormatName, ...]] = {
    "decimal": ("debezium-json",),
    "time_precision": ("debezium-json",),
    "binary": ("debezium-json",),
    "nulls": ("debezium-json",),
    "zero_dates": ("debezium-json", "maxwell-json"),
    "time_zone": ("canal-json",),
}


def stream_format(node: Mapping[str, object]) -> StreamFormat:
    """What is missing has the producer's own default."""
    usual = StreamFormat()
    return StreamFormat(
        name=cast(FormatName, text(node, "format") or usual.name),
        decimal=cast(DecimalMode, text(node, "decimal") or usual.decimal),
        time_precision=cast(TimePrecision, text(node, "time_precision") or usual.time_precision),
        binary=cast(BinaryMode, text(node, "binary") or usual.binary),
        time_zone=text(node, "time_zone"),
        zero_dates=cast(ZeroDates, text(node, "zero_dates") or usual.zero_dates),
        nulls=cast(Nulls, text(node, "nulls") or usual.nulls),
    )


def check_stream_options(
    source: YamlSource, stream: StreamFormat, malformed: frozenset[Path], *, findings: Findings
) -> None:
    """Reports options of another format, modes that lose values, and what is no time zone."""
    if lies_within((*_PLACE, "format"), malformed):
        return
    for option in mapping(source.data, "source", "stream"):
        path: Path = (*_PLACE, option)
        formats = _FORMATS_WITH.get(option)
        if formats is None or lies_within(path, malformed):
            continue
        span = source.span_of(path)
        if stream.name not in formats:
            findings.error("SW1931", f"'{option}' is an option of {' and '.join(formats)}, not of {stream.name}", span)
        elif option == "decimal" and stream.decimal == "double":
            findings.error("SW1932", "'double' rounds decimals: set decimal.handling.mode=precise or string", span)
        elif option == "time_precision" and stream.time_precision == "nanoseconds":
            findings.error(
                "SW1932", "'nanoseconds' overflows outside of 1677 to 2262: set adaptive_time_microseconds", span
            )
        elif option == "time_zone" and stream.utc_offset is None:
            findings.error("SW1933", f"'{stream.time_zone}' is neither UTC nor an offset such as \"+08:00\"", span)
