"""TRUNCATE of a followed table under `ddl: apply`, without Spark (hazards A1, A3, B5, E17): the rows of every shard go,
whatever stops the run on the way, or the stream stops before it and says why.
"""

from __future__ import annotations

import re

import pytest

from shardwright.compiler.ddl.logged import truncate
from shardwright.runtime.failpoints import VARIABLE
from shardwright.runtime.failures import Refused, StoppedPartWay
from tests.stream_ddl.conftest import DdlLab, MakeLab
from tests.stream_ddl.test_gate import AtTheGate, Operator

pytestmark = [pytest.mark.server]

APPLY = "{format: binlog, ddl: apply}"
EACH = 5
"""Rows of each physical table: three transactions, when each takes two."""


@pytest.fixture(autouse=True)
def small_transactions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(truncate, "AT_ONCE", 2)


def with_rows(made: DdlLab, *, copied: bool = True) -> AtTheGate:
    """Rows on the shards, and a stream that stands right before what is written next."""
    gate = AtTheGate(made, copied=copied)
    for place in range(4):
        for number in range(EACH):
            id_ = 10 * place + number
            made.lab.at(place, f"INSERT INTO parent_{place // 2} VALUES ({id_}, {place}, 'n{id_}', '')")
            made.lab.at(place, f"INSERT INTO child_{place // 2} VALUES ({id_}, 1, {place}, '')")
    return gate


def count_rows(made: DdlLab, table: str = "parent") -> list[int]:
    """How many rows each physical table has."""
    return [int(made.lab.at(place, f"SELECT COUNT(*) FROM {table}_{place // 2}")[0][0]) for place in range(4)]


def test_a1_e17_every_shard_is_emptied_after_a_stop_at_every_step(
    make_lab: MakeLab, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make_lab(APPLY)
    gate = with_rows(made)
    before = gate.state().position
    made.lab.at(0, "INSERT INTO _shardwright_recent VALUES ('lab', 1, '{}', NULL, '{}')")
    made.lab.write("TRUNCATE parent")
    for name, rows in (
        ("after-stream-ddl-begun", 20),
        ("before-rows-emptied", 20),
        ("after-rows-emptied", 16),
        ("after-stream-ddl-routed", 0),
    ):
        monkeypatch.setenv(VARIABLE, f"{name}=error")
        with pytest.raises(StoppedPartWay, match="SW8399"):
            gate.meet()
        assert gate.state().position == before, "it is not passed before all shards are empty"
        assert sum(count_rows(made)) == rows
    monkeypatch.delenv(VARIABLE)
    gate.meet()
    assert gate.state().position == gate.head()
    assert count_rows(made) == [0] * 4
    assert count_rows(made, "child") == [EACH] * 4
    assert made.audit() == ["stream DDL: apply"]
    assert not made.lab.at(0, "SELECT * FROM _shardwright_recent"), "the stream cannot go back over it by keys"


def test_e17_a_run_that_ends_on_the_way_has_not_passed_it(make_lab: MakeLab) -> None:
    made = make_lab(APPLY)
    gate = with_rows(made)
    before = gate.state().position
    made.lab.write("TRUNCATE TABLE parent")
    answers = iter([True] * 3 + [False] * 9)
    gate.meet(Operator(may_write=lambda: next(answers)))
    assert gate.state().position == before
    assert count_rows(made) == [0, EACH, EACH, EACH]
    gate.meet()
    assert gate.state().position == gate.head()
    assert count_rows(made) == [0] * 4


def test_a3_e17_a_run_that_was_replaced_deletes_no_more(make_lab: MakeLab) -> None:
    made = make_lab(APPLY)
    gate = with_rows(made)
    made.lab.write("TRUNCATE TABLE parent")

    def newer_run() -> None:
        for shard in range(2):
            made.lab.at(shard, "UPDATE _shardwright_epoch SET epoch = epoch + 1 WHERE role = 'data'")

    with pytest.raises(Refused, match="SW8201"):
        gate.meet(Operator(on_step=newer_run))
    assert count_rows(made) == [EACH - 2, EACH, EACH, EACH]
    gate.meet()
    assert count_rows(made) == [0] * 4


@pytest.mark.parametrize("ceiling", ["19", "99%"])
def test_d13_e17_the_delete_ceiling_is_asked_once(
    make_lab: MakeLab, monkeypatch: pytest.MonkeyPatch, ceiling: str
) -> None:
    made = make_lab(APPLY)
    weight, policy = "weight: 10\n    deletes: ", "until_snapshot"
    made.in_spec(weight + policy, f"{weight}{{policy: {policy}, stop_above: {ceiling}}}")
    gate = with_rows(made)
    made.lab.write("TRUNCATE TABLE parent")
    with pytest.raises(
        Refused, match=r"SW6003.*20 rows of parent would be deleted, more than stop_above.*this statement"
    ):
        gate.meet()
    assert count_rows(made) == [EACH] * 4
    monkeypatch.setenv(VARIABLE, "after-rows-emptied=error")
    with pytest.raises(StoppedPartWay, match="SW8399"):
        gate.meet(Operator(codes=frozenset({"SW6003"})))
    monkeypatch.delenv(VARIABLE)
    gate.meet()
    assert count_rows(made) == [0] * 4
    assert made.audit() == ["deletes allowed", "stream DDL: apply"]
    made.lab.write("TRUNCATE TABLE parent")
    gate.meet()


def test_b5_e17_it_stops_while_rows_are_copied(make_lab: MakeLab) -> None:
    made = make_lab(APPLY)
    gate = with_rows(made, copied=False)
    before = gate.state().position
    made.lab.write("TRUNCATE TABLE parent")
    command = r"shardwright run --recopy parent --allow SW8114@\S+:\d+$"
    with pytest.raises(Refused, match=f"SW8557.*{command}"):
        gate.meet()
    assert gate.state().position == before
    assert count_rows(made) == [EACH] * 4


def test_e17_rows_stay_where_the_spec_keeps_them_or_dead_letters_are_open(make_lab: MakeLab) -> None:
    made = make_lab(APPLY)
    made.in_spec("weight: 5\n    deletes: until_snapshot", "weight: 5\n    deletes: ignore")
    gate = with_rows(made)
    made.lab.write("TRUNCATE TABLE child")
    gate.meet()
    assert gate.state().position == gate.head()
    assert count_rows(made, "child") == [EACH] * 4
    ((detail,),) = made.lab.at(0, "SELECT detail FROM _shardwright_audit WHERE what NOT LIKE 'run:%'")
    assert re.search("the targets need nothing of it; lab.child is emptied .*`deletes: ignore` keeps its rows", detail)
    made.lab.at(
        0,
        "INSERT INTO _shardwright_dead VALUES ('lab', 'parent', 'lab.parent', REPEAT('0', 64), '[\"1\"]', 'held', "
        "'SW8511', '', 1, 0, NULL, NULL, NULL, '[]', NULL, NOW(6), NOW(6))",
    )
    made.lab.write("TRUNCATE TABLE parent")
    with pytest.raises(Refused, match=r"SW8542.*parent has dead letters.*ignore_ddl.*repair RESULT --delete-extra"):
        gate.meet()
    assert count_rows(made) == [EACH] * 4


def test_e17_a_temporary_table_of_the_same_name_is_not_taken_for_it(make_lab: MakeLab) -> None:
    made = make_lab(APPLY)
    gate = with_rows(made)
    source = made.lab.arena.source
    with source.connect("lab") as connection, connection.cursor() as cursor:
        cursor.execute("SET SESSION binlog_format = STATEMENT")
        cursor.execute("CREATE TEMPORARY TABLE parent (id INT)")
        gate.pass_the_rest()
        cursor.execute("TRUNCATE TABLE parent")
        with pytest.raises(Refused, match=r"SW8542.*it may be about a temporary table of that session"):
            gate.meet()
    assert count_rows(made) == [EACH] * 4
