"""What is known of each origin, and what of it a server lacks: compared with sets of numbers (hazards E5, E6)."""

from __future__ import annotations

import random

from shardwright.runtime.sources.binlog.gtid import Collector, Gtid, MariadbGtid, MariadbGtids, MysqlGtid, parse_gtids
from shardwright.runtime.sources.binlog.origins import OriginsCollector, find_lacking
from shardwright.runtime.sources.positions.log_position import LogPosition, origins_from_json, origins_to_json

ONE, TWO = "11111111-1111-1111-1111-111111111111", "22222222-2222-2222-2222-222222222222"


def test_n25_what_a_mysql_server_lacks_is_harmful_unless_it_is_known_to_have_changed_nothing(
    dice: random.Random,
) -> None:
    for _ in range(300):
        begin = parse_gtids(f"{ONE}:1-{dice.randrange(1, 4)}")
        ours, origins = Collector(begin), OriginsCollector({})
        kinds: dict[Gtid, bool] = {}
        numbers = {ONE: 10, TWO: 0}
        for _ in range(dice.randrange(30)):
            source = dice.choice((ONE, TWO))
            numbers[source] += 1
            gtid = MysqlGtid(source, numbers[source])
            kinds[gtid] = dice.random() < 0.3
            origins.add(gtid, highest=ours.highest(gtid), changed=kinds[gtid])
            ours.add(gtid)
            if dice.random() < 0.2:  # as the ledger keeps it
                origins = OriginsCollector(origins_from_json(origins_to_json(origins.origins())))
        had = {gtid for gtid in kinds if dice.random() < 0.7}
        executed = Collector(begin)
        for gtid in sorted(had):
            executed.add(gtid)
        found = find_lacking(ours.gtids(), executed.gtids(), origins.origins())
        lost = kinds.keys() - had
        assert all(gtid in found.harmful for gtid in lost if kinds[gtid])
        assert not any(gtid in found.harmful for gtid in lost if not kinds[gtid])
        assert all(gtid in found.common for gtid in had) and not any(gtid in found.common for gtid in lost)


def test_n26_every_server_of_a_domain_that_was_met_is_compared_in_its_order() -> None:
    ours, origins = Collector(parse_gtids("0-101-5,0-100-3,1-7-4")), OriginsCollector({})
    for server, number, changed in ((102, 6, False), (102, 7, True), (101, 6, True), (102, 9, False)):
        gtid = MariadbGtid(0, server, number)
        origins.add(gtid, highest=ours.highest(gtid), changed=changed)
        ours.add(gtid)
    known = origins.origins()
    assert origins_from_json(origins_to_json(known)) == known
    gtids = ours.gtids()
    for executed, harmful, changed, common in (
        ("0-100-3,0-102-9,0-101-6,1-7-4", "", False, "0-100-3,0-101-6,0-102-9,1-7-4"),
        ("0-101-6,1-7-9", "0-102-9", True, "0-100-3,0-101-6,1-7-4"),  # 0-100-3 was never met: a backup had it
        ("0-102-7,0-101-6,1-7-4", "", False, "0-102-7,0-100-3,0-101-6,1-7-4"),
        ("0-102-6,0-101-6,1-7-4", "0-102-9", True, "0-102-6,0-100-3,0-101-6,1-7-4"),
        ("0-102-9,0-101-6", "1-7-4", False, "0-100-3,0-101-6,0-102-9"),
        ("0-102-9,0-101-5,1-7-4", "0-101-6", True, "0-101-5,0-100-3,0-102-9,1-7-4"),
    ):
        found = find_lacking(gtids, parse_gtids(executed), known)
        assert (str(found.harmful), found.changed) == (harmful, changed), executed
        assert str(found.common) == common, executed
        assert isinstance(found.common, MariadbGtids)


def test_n25_numbers_that_went_back_are_certain_no_more_and_an_origin_keeps_few_intervals() -> None:
    origins = OriginsCollector({})
    for number, highest in ((5, 0), (6, 5), (3, 6)):
        origins.add(MariadbGtid(0, 1, number), highest=highest, changed=False)
    ours = parse_gtids("0-1-6")
    assert str(find_lacking(ours, MariadbGtids(), origins.origins()).harmful) == "0-1-6"
    many = OriginsCollector({})
    for number in range(1, 101):
        many.add(MysqlGtid(ONE, number), highest=0, changed=bool(number % 2))
    (origin,) = many.origins().values()
    assert origin.changed == 99 and origin.harmless[-1] == (100, 100) and len(origin.harmless) == 16


def test_n25_a_position_keeps_what_is_known() -> None:
    origins = OriginsCollector({})
    origins.add(MysqlGtid(ONE, 4), highest=0, changed=True)
    origins.add(MysqlGtid(f"{ONE}:a_tag", 1), highest=0, changed=False)
    position = LogPosition("binlog.000001", 4, gtids=f"{ONE}:1-4", origins=origins.origins())
    assert LogPosition.from_json(position.to_json()).origins == position.origins
    assert "origins" not in LogPosition("binlog.000001", 4).to_json()
