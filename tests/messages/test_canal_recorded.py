"""Real messages of Canal's parser and converter, every type: decoded they are what the server said, or refused by
name.
"""

from __future__ import annotations

from datetime import timedelta

import pytest

from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.messages.outcome import Aside
from shardwright.specs.spec.stream_format import StreamFormat
from tests.messages.recordings import columns, comparable, decode_recording, read_changes

LATIN = frozenset({"latin", "odd_latin"})
STREAM = StreamFormat(name="canal-json", time_zone="+09:00")  # the recorder's JVM ran in Asia/Tokyo


def test_c1_f1_every_type_is_what_the_server_said() -> None:
    changes, asides = decode_recording("canal.mariadb", STREAM, without=LATIN)
    assert comparable(changes, columns("mariadb")) == read_changes("mariadb", without=LATIN)
    assert asides[Aside.TRUNCATE] == 1 and asides[Aside.SCHEMA_CHANGE] >= 2 and asides[Aside.NOT_FOLLOWED] > 5
    assert asides[Aside.STATEMENT] > 100
    assert all(change.committed_at > 1_700_000_000 for change in changes)


@pytest.mark.parametrize("table", sorted(LATIN))
def test_c20_texts_that_canal_read_as_utf8_are_refused(table: str) -> None:
    everything = frozenset(name.removeprefix("shop.") for name in columns("mariadb"))
    with pytest.raises(Refused) as caught:
        decode_recording("canal.mariadb", STREAM, without=everything - {table})
    assert caught.value.code == "SW8436" and "column v" in caught.value.message


def test_c9_another_time_zone_than_canals_gives_other_instants() -> None:
    assert STREAM.utc_offset == timedelta(hours=9)
    changes, _ = decode_recording("canal.mariadb", StreamFormat(name="canal-json", time_zone="UTC"), without=LATIN)
    assert comparable(changes, columns("mariadb")) != read_changes("mariadb", without=LATIN)
