"""The form of the change stream, as a spec states it under `source.stream`."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from typing import Literal

FormatName = Literal["binlog", "canal-json", "debezium-json", "maxwell-json"]
DecimalMode = Literal["precise", "numeric", "string", "double"]
TimePrecision = Literal["adaptive_time_microseconds", "isostring", "microseconds", "nanoseconds", "adaptive", "connect"]
BinaryMode = Literal["bytes", "base64", "base64-url-safe", "hex"]
ZeroDates = Literal["refuse", "absent"]
Nulls = Literal["replaced", "kept"]

OFFSET = re.compile(r"([+-])(0[0-9]|1[0-4]):([0-5][0-9])")


@dataclass(frozen=True, slots=True)
class StreamFormat:
    """What the messages do not say of themselves. Everything but `name` is for queues; defaults are the producers' own.

    decimal         Debezium's decimal.handling.mode; `numeric` is `precise` with the converter's decimal.format=NUMERIC
    time_precision  Debezium's time.precision.mode
    binary          Debezium's binary.handling.mode
    time_zone       of the JVM that Canal runs in: "UTC" or an offset such as "+08:00"; None when not stated
    zero_dates      whether the source may hold zero or incomplete dates, which Debezium and Maxwell turn into others
    nulls           whether Kafka Connect's converter writes a column's default where the row has NULL (it does unless told
                    otherwise: replace.null.with.default)
    """  # noqa: E501

    name: FormatName = "binlog"
    decimal: DecimalMode = "precise"
    time_precision: TimePrecision = "adaptive_time_microseconds"
    binary: BinaryMode = "bytes"
    time_zone: str | None = None
    zero_dates: ZeroDates = "refuse"
    nulls: Nulls = "replaced"

    @property
    def utc_offset(self) -> datetime.timedelta | None:
        """East of Greenwich is positive; None when no time zone, or no such offset, is stated."""
        if self.time_zone == "UTC":
            return datetime.timedelta(0)
        found = OFFSET.fullmatch(self.time_zone or "")
        if found is None:
            return None
        sign, hours, minutes = found.groups()
        offset = datetime.timedelta(hours=int(hours), minutes=int(minutes))
        return -offset if sign == "-" else offset
