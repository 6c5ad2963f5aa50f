"""Rows per second of the message decoders on the table of the other measurements (11 columns, both images of an
update).

    python -m tests.bench.stream.messages [--rows 50000]

No server: the messages are made here, as their producers write them. CPU time of one core, so that a busy machine
counts less.
"""

from __future__ import annotations

import argparse
import base64
import json
import time
from collections.abc import Callable
from typing import Any

from shardwright.runtime.sources.messages.decoder import message_decoder
from shardwright.specs.spec.stream_format import StreamFormat
from tests.bench.stream.decode import columns

TABLES = {"log_bench.orders": columns()}
CANAL_ROWS = 50
Row = dict[str, Any]


def row(number: int) -> Row:
    return {
        "id": number, "user_id": number % 5000, "status": number % 7, "amount": f"{number / 7:.2f}", "currency": "EUR",
        "title": f"order number {number} of the day", "note": f"a note for the courier {number}" if number % 3 else None,
        "quantity": number % 12, "weight": number / 3, "created_at": "2026-11-21 20:15:30", "updated_at": "2026-11-21 20:15:30.125",
    }  # fmt: skip


def canal(rows: int) -> list[bytes]:
    found = []
    for first in range(0, rows, CANAL_ROWS):
        data = [_texts(row(number)) for number in range(first, first + CANAL_ROWS)]
        old = [{"status": "0", "updated_at": "2026-11-21 20:15:29.000"}] * CANAL_ROWS
        found.append({"data": data, "old": old, "database": "log_bench", "table": "orders", "type": "UPDATE", "isDdl": False,
                      "es": 1795299074000, "ts": 1795299074598, "sql": "", "pkNames": ["id"], "gtid": ""})  # fmt: skip
    return [json.dumps(message, ensure_ascii=False).encode() for message in found]


def debezium(rows: int) -> list[bytes]:
    source = {"version": "3.5.0.Final", "connector": "mariadb", "ts_ms": 1795299074000, "db": "log_bench", "table": "orders",
              "gtid": "0-71-24", "file": "binlog.000001", "pos": 9871, "row": 0, "snapshot": None}  # fmt: skip
    found = []
    for number in range(rows):
        after = row(number)
        cents = round(float(after["amount"]) * 100)
        after |= {
            "amount": base64.b64encode(cents.to_bytes(6, "big")).decode(),
            "created_at": 1795299074000,
            "updated_at": 1795299074125,
        }
        found.append(
            {
                "before": after | {"status": 0},
                "after": after,
                "source": source,
                "op": "u",
                "ts_ms": 1,
                "transaction": None,
            }
        )
    return [json.dumps(message, ensure_ascii=False).encode() for message in found]


def maxwell(rows: int) -> list[bytes]:
    return [
        json.dumps({"database": "log_bench", "table": "orders", "type": "update", "ts": 1795299074, "xid": 5, "xoffset": number,
                    "position": "binlog.000001:99", "data": row(number) | {"amount": number / 100}, "old": {"status": 0}}).encode()
        for number in range(rows)
    ]  # fmt: skip


def _texts(values: Row) -> dict[str, str | None]:
    return {name: None if value is None else str(value) for name, value in values.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=50_000)
    rows = parser.parse_args().rows // CANAL_ROWS * CANAL_ROWS
    for name, (took, parsed) in measure(rows).items():
        print(f"{name:14} {rows / took:10,.0f} update rows/s (json.loads alone: {rows / parsed:,.0f})")


def measure(rows: int) -> dict[str, tuple[float, float]]:
    """By format: seconds of processor time to decode, and of json.loads alone. `rows` is a multiple of CANAL_ROWS."""
    made: dict[StreamFormat, Callable[[int], list[bytes]]] = {
        StreamFormat(name="canal-json", time_zone="UTC"): canal,
        StreamFormat(name="debezium-json", zero_dates="absent", nulls="kept"): debezium,
        StreamFormat(name="maxwell-json", zero_dates="absent"): maxwell,
    }
    found = {}
    for stream, make in made.items():
        messages, decoder = make(rows), message_decoder(stream, TABLES)
        began = time.process_time()
        for message in messages:
            json.loads(message)
        parsed = time.process_time() - began
        began = time.process_time()
        count = sum(len(decoder.decode(None, message, "a message")) for message in messages)
        took = time.process_time() - began
        assert count == rows, (stream.name, count)
        found[stream.name] = (took, parsed)
    return found


if __name__ == "__main__":
    main()
