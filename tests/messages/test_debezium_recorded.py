"""Real Debezium messages of every type, in every mode: decoded they are what the server said, or refused by name."""

from __future__ import annotations

from typing import Any

import pytest

from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.messages.decoder import message_decoder
from shardwright.runtime.sources.messages.outcome import Aside
from shardwright.specs.spec.stream_format import StreamFormat
from tests.messages.recordings import columns, comparable, decode_recording, keys_taken_apart, messages, read_changes

ZERO = frozenset({"zero_dates", "zero_instants"})
ODD = frozenset({"odd_latin"})
MODES: dict[str, dict[str, Any]] = {
    "debezium": {"nulls": "kept"},
    "debezium-schema": {"nulls": "kept"},
    "debezium-strings": {"nulls": "kept", "decimal": "string", "time_precision": "isostring", "binary": "hex"},
    "debezium-numeric": {"nulls": "kept", "decimal": "numeric", "time_precision": "microseconds", "binary": "base64"},
}
LOSES = {"debezium-strings": frozenset({"clocks"})}


def debezium(zero_dates: Any = "absent", **modes: Any) -> StreamFormat:
    return StreamFormat(name="debezium-json", zero_dates=zero_dates, **modes)


@pytest.mark.parametrize("name", MODES)
@pytest.mark.parametrize("server", ["mariadb"])
def test_c1_f1_every_type_is_what_the_server_said(name: str, server: str) -> None:
    without = ZERO | ODD | LOSES.get(name, frozenset())
    changes, asides = decode_recording(f"{name}.{server}", debezium(**MODES[name]), without=without)
    expected = keys_taken_apart(read_changes(server, without=without))
    assert comparable(changes, columns(server)) == expected
    assert len(expected) > 200
    assert asides[Aside.TRUNCATE] == 1 and asides[Aside.NOT_FOLLOWED] > 5 and asides[Aside.TOMBSTONE] > 50
    assert asides[Aside.SCHEMA_CHANGE] == 2  # CREATE and DROP while the workload ran
    assert asides[Aside.SNAPSHOT_READ] > 20  # the schema's statements at the connector's start


@pytest.mark.parametrize("name", MODES)
def test_c2_coordinates_rise_with_the_log_and_distinguish_rows_of_an_event(name: str) -> None:
    changes, _ = decode_recording(
        f"{name}.mariadb", debezium(**MODES[name]), without=ZERO | ODD | frozenset({"clocks"})
    )
    places = [c.coordinate and (c.coordinate.file, c.coordinate.offset, c.coordinate.row) for c in changes]
    assert places == sorted(places, key=str) or [p[1:] for p in places if p] == sorted(p[1:] for p in places if p)
    assert len(places) - len(set(places)) == 1  # the change of a key comes as two events of one place
    assert all(c.coordinate and c.coordinate.gtid for c in changes) and all(
        c.committed_at > 1_700_000_000 for c in changes
    )


def expect_refusal(name: str, stream: StreamFormat, table: str) -> Refused:
    """The first refusal when only `table` is followed."""
    decoder = message_decoder(stream, {f"shop.{table}": columns("mariadb")[f"shop.{table}"]})
    with pytest.raises(Refused) as caught:
        for message in messages(f"{name}.mariadb"):
            decoder.decode(message.key, message.value, message)
    assert table in caught.value.message
    return caught.value


@pytest.mark.parametrize("table", ["times", "instants", "zero_dates", "zero_instants"])
def test_c8_dates_need_the_word_that_there_are_no_zero_ones(table: str) -> None:
    assert expect_refusal("debezium", debezium("refuse", nulls="kept"), table).code == "SW8436"


def test_c8_zero_timestamps_are_distinguished_from_null_and_1970() -> None:
    """DATE and DATETIME are lost; TIMESTAMP is not."""
    changes, _ = decode_recording("debezium.mariadb", debezium(nulls="kept"), without=ODD)
    for table in ("zero_dates", "zero_instants"):
        names = [column.name for column in columns("mariadb")[f"shop.{table}"]]
        instants = [place for place, name in enumerate(names) if name.startswith("ts")]
        got = [change.after for change in changes if change.table == f"shop.{table}" and change.op == "I"]
        said = [change.after for change in read_changes("mariadb") if change.table == table and change.op == "I"]
        assert [[row[at] for at in instants] for row in got if row] == [
            [row[at] for at in instants] for row in said if row
        ]
        assert said[0] is not None and "0000-00-00 00:00:00.000" in said[0]


def test_c20_bytes_that_java_has_no_character_for_are_refused() -> None:
    failure = expect_refusal("debezium", debezium(nulls="kept"), "odd_latin")
    assert (failure.code, "column v" in failure.message) == ("SW8435", True)


@pytest.mark.parametrize(
    ("name", "modes", "table", "code"),
    [("debezium-strings", MODES["debezium-strings"], "clocks", "SW8436"),  # outside of a day: NULL
     ("debezium-connect", {"time_precision": "connect"}, "clocks", "SW8436"),
     ("debezium-connect", {"time_precision": "connect"}, "times", "SW8436"),  # microseconds cut off
     ("debezium-connect", {"decimal": "double"}, "decimals", "SW8436"),
     ("debezium-connect", {"decimal": "precise"}, "decimals", "SW8435"),
     ("debezium-connect", {"decimal": "string"}, "decimals", "SW8435"),
     ("debezium-nanoseconds", {"time_precision": "nanoseconds", "decimal": "string", "binary": "hex"}, "times", "SW8436"),
     ("debezium-nanoseconds", {"time_precision": "microseconds"}, "times", "SW8436"),
     ("debezium-nanoseconds", {"decimal": "precise"}, "decimals", "SW8436"),
     ("debezium-nanoseconds", {"binary": "bytes"}, "bytes", "SW8436"),
     ("debezium-schema", {"decimal": "string"}, "decimals", "SW8436"),
     ("debezium-schema", {"time_precision": "isostring"}, "instants", "SW8436"),
     ("debezium-schema", {"binary": "hex"}, "bytes", "SW8436"),
     ("debezium-strings", {"decimal": "precise"}, "decimals", "SW8435"),
     ("debezium-numeric", {"decimal": "precise"}, "decimals", "SW8435"),
     ("debezium", {"time_precision": "isostring"}, "instants", "SW8435")],
)  # fmt: skip
def test_f1_mode_that_loses_or_is_not_the_one_stated_is_refused(
    name: str, modes: dict[str, Any], table: str, code: str
) -> None:
    assert expect_refusal(name, debezium(**{"nulls": "kept", **modes}), table).code == code


def test_f1_null_that_a_converter_may_have_replaced_is_refused() -> None:
    assert expect_refusal("debezium-connect", debezium(), "defaults").code == "SW8437"  # where it did replace them
    failure = expect_refusal("debezium-schema", debezium(), "defaults")
    assert failure.code == "SW8437" and "column marker" in failure.message
    assert expect_refusal("debezium", debezium(), "computed").code == "SW8437"


def test_f5_heartbeats_and_transactions() -> None:
    stream = debezium(nulls="kept", time_precision="connect", binary="base64-url-safe")
    without = frozenset(table.removeprefix("shop.") for table in columns("mariadb")) - {"bytes", "moved"}
    changes, asides = decode_recording("debezium-connect.mariadb", stream, without=without)
    kept = keys_taken_apart(read_changes("mariadb", without=without))
    assert comparable(changes, columns("mariadb")) == kept and kept
    assert asides[Aside.HEARTBEAT] > 0 and asides[Aside.TRANSACTION_MARKER] > 100
