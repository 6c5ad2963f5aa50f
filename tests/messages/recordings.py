"""The recorded messages, and what the server said the changes were."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from shardwright.compiler.plan.catalogue import Column, ColumnType
from shardwright.runtime.sources.event import DELETE, INSERT, UPDATE
from shardwright.runtime.sources.messages.decoder import message_decoder
from shardwright.runtime.sources.messages.outcome import Aside, NotAChange, RowChange
from shardwright.specs.spec.stream_format import StreamFormat
from tests.binlog.log_source import Row, exact
from tests.messages.catalogue import Change

RECORDED = Path(__file__).with_name("recorded")
Tables = dict[str, tuple[Column, ...]]


@dataclass(frozen=True)
class Message:
    topic: str
    key: bytes | None
    value: bytes | None
    number: int

    def __str__(self) -> str:
        return f"message {self.number} of {self.topic}"


def messages(name: str) -> Iterator[Message]:
    with gzip.open(RECORDED / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            found = json.loads(line)
            key, value = (None if found[part] is None else found[part].encode() for part in ("key", "value"))
            yield Message(found["topic"], key, value, number)


@cache
def _read_expected(server: str) -> Any:
    return json.loads((RECORDED / f"expected.{server}.json").read_text("utf-8"))


def columns(server: str) -> Tables:
    return {
        f"shop.{table}": tuple(_column(**described) for described in columns)
        for table, columns in _read_expected(server)["columns"].items()
    }


def _column(type: dict[str, Any], **rest: Any) -> Column:
    return Column(type=ColumnType(**{**type, "labels": tuple(type["labels"])}), **rest)


def read_changes(server: str, *, without: frozenset[str] = frozenset()) -> list[Change]:
    return [
        Change(table, op, None if before is None else tuple(before), None if after is None else tuple(after))
        for table, op, before, after in _read_expected(server)["changes"]
        if table not in without
    ]


def decode_recording(
    name: str, stream: StreamFormat, *, without: frozenset[str] = frozenset()
) -> tuple[list[RowChange], dict[Aside, int]]:
    """The changes of a recording, and how often each aside came. Tables in `without` are not followed."""
    followed = {t: c for t, c in columns(name.rpartition(".")[2]).items() if t.removeprefix("shop.") not in without}
    decoder = message_decoder(stream, followed)
    changes: list[RowChange] = []
    asides: dict[Aside, int] = {}
    for message in messages(name):
        outcome = decoder.decode(message.key, message.value, message)
        if isinstance(outcome, NotAChange):
            asides[outcome.aside] = asides.get(outcome.aside, 0) + 1
        else:
            changes += outcome
    return changes, asides


def comparable(changes: list[RowChange], tables: Tables) -> list[Change]:
    """As the server's own words are: without the database, floats as hexadecimal."""

    def shown(image: Row | None, table: str) -> Row | None:
        return None if image is None else exact(image, tables[table])

    return [
        Change(c.table.removeprefix("shop."), c.op, shown(c.before, c.table), shown(c.after, c.table)) for c in changes
    ]


def keys_taken_apart(changes: list[Change]) -> list[Change]:
    """A change of the key as delete and insert, which is how Debezium writes it, and what our own decode step makes of
    it."""
    found: list[Change] = []
    for change in changes:
        if change.op == UPDATE and change.before and change.after and change.before[0] != change.after[0]:
            found += [
                Change(change.table, DELETE, change.before, None),
                Change(change.table, INSERT, None, change.after),
            ]
        else:
            found.append(change)
    return found
