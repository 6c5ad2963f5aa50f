"""The same changes through the binary log and through recorded messages: equal images."""

from __future__ import annotations

import pytest

from shardwright.specs.spec.stream_format import StreamFormat
from tests.binlog.conftest import source as source  # the log reader's server
from tests.binlog.log_source import Source
from tests.messages import catalogue
from tests.messages.catalogue import Change
from tests.messages.recordings import columns, comparable, decode_recording, keys_taken_apart, read_changes

LOST = frozenset({"zero_dates", "zero_instants", "odd_latin"})
pytestmark = pytest.mark.server


def test_j3_b10_log_and_recorded_messages_give_equal_images(source: Source) -> None:
    source.needs_mariadb("JSON is text in the catalogue's tables")
    catalogue.create(source)
    start = source.head()
    said = catalogue.play(source)
    tables = sorted({change.table for change in said})
    head = source.head()
    logged: list[Change] = []
    for found in source.changes(start, *tables, end=head):
        logged.append(
            Change(found["table"].removeprefix("shop."), found["op"], _image(found["before"]), _image(found["after"]))
        )
    assert logged == said  # the oracle of this very run
    assert said == read_changes("mariadb")  # and of the run that was recorded
    stream = StreamFormat(name="debezium-json", zero_dates="absent", nulls="kept")
    changes, _ = decode_recording("debezium.mariadb", stream, without=LOST)
    assert comparable(changes, columns("mariadb")) == keys_taken_apart([c for c in logged if c.table not in LOST])


def _image(image: object) -> tuple[str | None, ...] | None:
    return None if image is None else tuple(image)  # type: ignore[arg-type]
