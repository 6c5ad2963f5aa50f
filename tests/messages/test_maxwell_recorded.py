"""Real messages of Maxwell 1.22.6 on MariaDB, every type: decoded they are what the server said, or refused by name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shardwright.compiler.plan.catalogue import Column
from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.messages.decoder import message_decoder
from shardwright.runtime.sources.messages.outcome import Aside, LogCoordinate, NotAChange
from shardwright.specs.spec.stream_format import StreamFormat
from tests.binlog.log_source import Row
from tests.messages.recordings import columns, comparable, decode_recording, messages, read_changes

STREAM = StreamFormat(name="maxwell-json", zero_dates="absent")
TIMES = {"times": "SW8435", "instants": "SW8435", "zero_dates": "SW8435", "zero_instants": "SW8435"}
REFUSED = {**TIMES, "bits": "SW8436", "clocks": "SW8436", "places": "SW8436", "labels": "SW8435", "odd_latin": "SW8435"}


def test_c1_f1_every_type_is_what_the_server_said() -> None:
    changes, asides = decode_recording("maxwell.mariadb", STREAM, without=frozenset(REFUSED))
    expected = read_changes("mariadb", without=frozenset(REFUSED))
    assert comparable(changes, columns("mariadb")) == expected
    assert len(expected) > 150
    assert asides == {Aside.NOT_FOLLOWED: asides[Aside.NOT_FOLLOWED], Aside.SCHEMA_CHANGE: 2}  # no word of the TRUNCATE
    assert all(change.committed_at > 1_700_000_000 for change in changes)


def test_c2_coordinates_rise_with_the_log_and_distinguish_rows_of_a_transaction() -> None:
    changes, _ = decode_recording("maxwell.mariadb", STREAM, without=frozenset(REFUSED))
    places = [change.coordinate for change in changes]
    assert all(place.__class__ is LogCoordinate and place[2] is not None for place in places)
    assert places == sorted(set(places))  # type: ignore[type-var]


@pytest.mark.parametrize("table", REFUSED)
def test_c8_c10_c12_c23_c20_what_it_changes_is_refused_by_name(table: str) -> None:
    decoder = message_decoder(STREAM, {f"shop.{table}": columns("mariadb")[f"shop.{table}"]})
    with pytest.raises(Refused, match=rf"table shop\.{table}") as caught:
        for message in messages("maxwell.mariadb"):
            decoder.decode(message.key, message.value, message)
    assert caught.value.code == REFUSED[table]


def test_c9_dates_and_times_are_those_of_the_server_or_refused() -> None:
    """Maxwell takes MariaDB for a server without fractions of seconds, so the columns are followed as if they had
    none."""
    followed = tuple(_without_fractions(column) for column in columns("mariadb")["shop.times"])
    decoder = message_decoder(STREAM, {"shop.times": followed})
    said = [change for change in read_changes("mariadb") if change.table == "times"]
    outcomes: list[object] = []
    for message in messages("maxwell.mariadb"):
        try:
            found = decoder.decode(message.key, message.value, message)
        except Refused as refusal:
            outcomes.append(refusal.message)
        else:
            outcomes += [] if isinstance(found, NotAChange) else [change.after or change.before for change in found]
    assert len(outcomes) == len(said) > 15
    for outcome, change in zip(outcomes, said, strict=True):
        row = change.after or change.before
        assert row is not None
        if row[2] == "1582-10-10":
            assert "1582-10-20" in str(outcome) and "ten days earlier" in str(outcome)
        else:
            assert outcome == _cut(row)


def _without_fractions(column: Column) -> Column:
    return replace(column, type=replace(column.type, precision=0)) if column.name[:2] in ("dt", "ts") else column


def _cut(row: Row) -> Row:
    return tuple(value and value[:19] for value in row)
