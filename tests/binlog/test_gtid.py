"""Sets of GTIDs against plain Python sets, for both servers (hazards E4-E7)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.binlog.gtid import (
    Collector,
    MariadbGtid,
    MariadbGtids,
    MysqlGtid,
    MysqlGtids,
    parse_gtids,
)

A, B = "3e11fa47-71ca-11e1-9e33-c80aa9429562", "7c0ab4d2-0000-11ee-8000-0242ac120002"

members = st.frozensets(
    st.builds(MysqlGtid, st.sampled_from([A, B, f"{A}:blue", f"{B}:red_2"]), st.integers(1, 25)), max_size=60
)
histories = st.lists(st.builds(MariadbGtid, st.integers(0, 2), st.integers(1, 3), st.integers(1, 30)), max_size=20)


def collect(gtids: frozenset[MysqlGtid]) -> MysqlGtids:
    collector = Collector(MysqlGtids())
    for gtid in gtids:
        collector.add(gtid)
    found = collector.gtids()
    assert isinstance(found, MysqlGtids)
    return found


def write(history: list[MariadbGtid]) -> MariadbGtids:
    """A log in which numbers grow, as the servers write it."""
    collector = Collector(MariadbGtids())
    for gtid in sorted(history, key=lambda gtid: gtid.number):
        collector.add(gtid)
    found = collector.gtids()
    assert isinstance(found, MariadbGtids)
    return found


@given(members, members)
def test_e4_e7_mysql_sets_behave_as_sets_of_single_transactions(
    one: frozenset[MysqlGtid], two: frozenset[MysqlGtid]
) -> None:
    left, right = collect(one), collect(two)
    assert left.union(right) == collect(one | two)
    assert left.minus(right) == collect(one - two)
    assert left.includes(right) == (one >= two)
    assert all((gtid in left) == (gtid in one) for gtid in one | two)
    assert parse_gtids(str(left)) == left
    assert bool(left) == bool(one)


@given(members, st.lists(st.sampled_from(sorted([MysqlGtid(A, n) for n in range(1, 9)])), max_size=8))
def test_e4_adding_to_a_set_fills_its_gaps(before: frozenset[MysqlGtid], added: list[MysqlGtid]) -> None:
    collector = Collector(collect(before))
    for gtid in added:
        collector.add(gtid)
    assert collector.gtids() == collect(before | set(added))


@given(histories, histories)
def test_e6_mariadb_sets_know_the_highest_number_of_each_server(one: list[MariadbGtid], two: list[MariadbGtid]) -> None:
    left, right = write(one), write(two)
    assert parse_gtids(str(left)) == left or not one
    both = left.union(right)
    assert both.includes(left)
    assert both.includes(right)
    assert all(gtid in left for gtid in one)
    assert not both.minus(left.union(right))
    for gtid in left.minus(right):
        assert gtid not in right
        assert gtid in left
    if not left.minus(right):
        assert right.includes(left)


def test_e4_a_gap_is_seen_and_filled() -> None:
    ours = parse_gtids(f"{A}:1-5:7-9")
    theirs = parse_gtids(f"{A}:1-9")
    assert theirs.includes(ours)
    assert not ours.includes(theirs)
    assert str(theirs.minus(ours)) == f"{A}:6"


def test_e6_a_server_that_wrote_long_ago_is_not_asked_for() -> None:
    ours = parse_gtids("0-2-50,0-1-100,1-1-5")  # 0-1-100 came last in domain 0
    assert parse_gtids("0-1-120,1-1-5").includes(ours)
    assert not parse_gtids("0-1-120").includes(ours)  # domain 1 is behind
    assert not parse_gtids("0-1-99,1-1-7").includes(ours)
    assert str(ours.minus(parse_gtids("0-1-99,1-1-7"))) == "0-2-50,0-1-100"


def test_e7_tags_as_the_server_prints_them() -> None:
    printed = f"{A}:1-3:7:blue:1-2:red:5,\n{B}:1"
    gtids = parse_gtids(printed.upper())
    assert str(gtids) == printed.replace("\n", "")
    assert MysqlGtid(f"{A}:blue", 2) in gtids
    assert MysqlGtid(A, 5) not in gtids


@pytest.mark.parametrize("text", ["nonsense", f"{A}", f"{A}:x-1", f"{A}:1-", "0-1", "0-1-5,abc"])
def test_e7_what_is_no_set_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="SW8131"):
        parse_gtids(text)
