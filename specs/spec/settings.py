"""Settings that one place of a spec states for many: those of `defaults`, which an entry of `tables` overrides key by
key, and the options under `source.stream`, read and judged for what a format can carry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from shardwright.specs.findings.diagnostics import Findings, Path, Span
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


_WHOLE = frozenset({"on_key_collision"})
"""What an entry says of it, it says whole."""
DEFAULTED = ("weight", "version_column", "write", "deletes", "on_key_collision", "existing_rows", "defer_indexes")


def with_defaults(defaults: Mapping[str, object], entry: Mapping[str, object]) -> Mapping[str, object]:
    """The entry's node with what it leaves to the defaults."""
    node = dict(entry)
    for key in DEFAULTED:
        if key in defaults and not (key in entry and key in _WHOLE):
            node[key] = merge_setting(defaults[key], entry[key]) if key in entry else defaults[key]
    return node


def merge_setting(default: object, own: object) -> object:
    """`deletes` is a policy, or a mapping with one: what the entry does not say about it stands. A delay belongs to the
    policy it was written with."""
    if not isinstance(default, dict):
        return own if not isinstance(own, dict) or not isinstance(default, str) else {"policy": default, **own}
    chosen = own if isinstance(own, dict) else {"policy": own}
    kept = {key: value for key, value in default.items() if key != "delay" or "policy" not in chosen}
    return {**kept, **chosen}


def places_of_settings(
    yaml: YamlSource, defaults: Mapping[str, object], entries: Sequence[Mapping[str, object]]
) -> tuple[Mapping[Path, Span], Mapping[Path, Span]]:
    """The document's places, and for each table's setting that comes from the defaults its place there. The pattern of
    a group is where other entries name their table."""
    spans, key_spans = dict(yaml.spans), dict(yaml.key_spans)
    for index, entry in enumerate(entries):
        if "each" in entry and "table" not in entry:
            spans[("tables", index, "table")] = yaml.span_of(("tables", index, "each"))
        for key in DEFAULTED:
            if key not in defaults:
                continue
            inner = mapping(defaults, key) if key not in entry else mapping(with_defaults(defaults, entry), key)
            for path in [(key,), *((key, name) for name in inner)]:
                for places, known in ((spans, yaml.spans), (key_spans, yaml.key_spans)):
                    if ("defaults", *path) in known:
                        places.setdefault(("tables", index, *path), known[("defaults", *path)])
    return spans, key_spans
