"""Each step at which a row may be, or may be lost, is named by the facts that show it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import CopiedColumn, TablePlan
from shardwright.compiler.plan.table_parts import (
    LedgerTables,
    Placement,
    ReadColumn,
    RowKey,
    SourceColumn,
    SourceTables,
)
from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.history.asked_key import parse_key
from shardwright.runtime.history.facts import (
    Belonging,
    Change,
    Chunk,
    Decision,
    HeldBack,
    HeldRow,
    KeptOnShard,
    RowFacts,
    Unread,
    Way,
)
from shardwright.runtime.history.forms import as_json, as_text
from shardwright.runtime.history.images import find_changed_columns
from shardwright.runtime.history.verdict import Step, judge
from shardwright.specs.direction import Direction

HERE, ELSEWHERE = "part_0.t_0", "part_1.t_1"
SOURCE = HeldRow("shop.t", {"id": "7", "note": "new"}, 1)
RIGHT = replace(SOURCE, place=HERE)
OTHER = HeldRow(HERE, {"id": "7", "note": "old"}, 2)
LIVE = Way(Direction.FORWARD, True, "log.1:4", "log.1:900", 3, False, None, None)
CHUNK = Chunk("shop.t", 2, "[1]", "[9]", "done", "log.1:100", 8, ())
UPDATE = Change(
    Direction.FORWARD, "source", "log.1:500", 0, "0-1-5", "2026-11-30 12:00:00", "update", "shop.t", (), HERE, HERE,
    "applied", 3, Decision("update", "the row is there", "batch"),
)  # fmt: skip
DELETE = replace(UPDATE, operation="delete", to_place=None)
FACTS = RowFacts(
    migration="m",
    table="t",
    key={"id": "7"},
    ways=(LIVE,),
    belongs=Belonging((HERE,), "by id"),
    read_side=(SOURCE,),
    write_side=(RIGHT,),
    expected=(HERE,),
    is_filtered=False,
    keeps_deleted=False,
    chunks=(CHUNK,),
    changes=(UPDATE,),
    equal_to=None,
    foreign=(),
    moments=(),
    unread=(),
    staged=(),
    tombstones=(),
    dead_letters=(),
)
HELD = HeldBack("shop.t", "held", "SW8511", "too long", 2, "2026-11-30 12:00:00", "2026-11-30 12:00:00")
OPEN = replace(LIVE, open_batch=4, open_state="open")
COPYING = replace(LIVE, copying=True)


@pytest.mark.parametrize(
    ("step", "facts"),
    [
        (Step.RIGHT, {}),
        (Step.NOWHERE, {"read_side": (), "write_side": (), "changes": (DELETE,)}),
        (Step.NOWHERE, {"read_side": (), "write_side": (), "changes": ()}),
        (Step.FILTERED, {"read_side": (), "write_side": (), "is_filtered": True, "changes": ()}),
        (Step.KEPT, {"read_side": (), "keeps_deleted": True, "changes": (DELETE,)}),
        (Step.AHEAD, {"write_side": (OTHER,), "changes": (UPDATE, replace(UPDATE, state="ahead", batch=None))}),
        (Step.OPEN_BATCH, {"write_side": (OTHER,), "ways": (OPEN,), "changes": (replace(UPDATE, state="open", batch=4),)}),
        (
            Step.STAGED,
            {
                "write_side": (OTHER,),
                "ways": (replace(OPEN, open_state="staged"),),
                "changes": (replace(UPDATE, state="open", batch=4),),
                "staged": (KeptOnShard(HERE, "1:500:0", "upsert"),),
            },
        ),
        (Step.NOT_COPIED, {"write_side": (), "ways": (COPYING,), "changes": (), "chunks": (replace(CHUNK, number=None),)}),
        (Step.NOT_COPIED, {"write_side": (), "ways": (COPYING,), "changes": (), "chunks": (replace(CHUNK, state="recopy"),)}),
        (
            Step.CHUNK_NOT_WRITTEN,
            {"write_side": (), "ways": (COPYING,), "changes": (), "chunks": (replace(CHUNK, state="planned"),)},
        ),
        (Step.DEAD_LETTER, {"write_side": (OTHER,), "dead_letters": (HELD,)}),
        (Step.DEAD_LETTER, {"write_side": (), "dead_letters": (replace(HELD, state="retry"),)}),
        (Step.NOT_APPLIED, {"write_side": (), "dead_letters": (replace(HELD, state="answered"),)}),
        (Step.WRONG_PLACE, {"write_side": (replace(RIGHT, place=ELSEWHERE),)}),
        (Step.WRONG_PLACE, {"write_side": (RIGHT, replace(RIGHT, place=ELSEWHERE))}),
        (Step.WRONG_PLACE, {"write_side": (replace(RIGHT, misplaced=True),), "expected": ()}),
        (Step.NOT_APPLIED, {"write_side": (OTHER,), "changes": (UPDATE, replace(UPDATE, position="log.1:600")), "equal_to": 0}),
        (Step.NOT_APPLIED, {"read_side": (), "changes": (DELETE,)}),
        (Step.FOREIGN, {"write_side": (OTHER,)}),
        (Step.FOREIGN, {"write_side": (), "foreign": (DELETE,)}),
        (Step.FOREIGN, {"read_side": (), "changes": ()}),
        (Step.SEVERAL, {"read_side": (SOURCE, replace(SOURCE, place="shop.u"))}),
        (Step.UNEXPLAINED, {"write_side": (OTHER,), "unread": (Unread("source", "purged"),)}),
        (Step.UNEXPLAINED, {"write_side": (), "changes": ()}),
        (Step.UNEXPLAINED, {"read_side": (), "is_filtered": True}),
    ],
)  # fmt: skip
def test_the_step_is_named(step: Step, facts: dict[str, Any]) -> None:
    verdict = judge(replace(FACTS, **facts))
    assert verdict.step is step, verdict
    assert verdict.is_right == (step in (Step.RIGHT, Step.NOWHERE, Step.FILTERED, Step.KEPT))
    assert verdict.is_under_way == (
        step in (Step.AHEAD, Step.OPEN_BATCH, Step.STAGED, Step.NOT_COPIED, Step.CHUNK_NOT_WRITTEN)
    )


def test_every_step_has_an_example() -> None:
    (mark,) = test_the_step_is_named.pytestmark  # type: ignore[attr-defined]
    assert {step for step, _ in mark.args[1]} == set(Step)


def test_a_copy_on_every_shard_is_right_where_all_have_it() -> None:
    both = replace(FACTS, expected=(HERE, ELSEWHERE), write_side=(RIGHT, replace(RIGHT, place=ELSEWHERE)))
    assert judge(both).step is Step.RIGHT
    assert judge(replace(both, write_side=(RIGHT,))).step is Step.WRONG_PLACE


def test_both_forms_say_the_verdict() -> None:
    lost = replace(FACTS, write_side=(OTHER,))
    assert as_text(lost, judge(lost)).splitlines()[-1] == (
        "lost at: overwritten by a foreign writer: part_0.t_0 has values that no change of the log has: another writer "
        "wrote them"
    )
    assert '"step": "overwritten by a foreign writer"' in as_json(lost, judge(lost))


def _table(*, masked: bool = False) -> TablePlan:
    text = ColumnType("varchar", length=20, collation="utf8mb4_bin")
    kinds = {"id": ColumnType("int"), "note": text, "left_out": text}
    mapping = "masked: redacted" if masked else "copied"
    return TablePlan(
        "t",
        0,
        SourceTables(
            ("shop",),
            ("t",),
            tuple(SourceColumn(name, kind, True) for name, kind in kinds.items()),
            tuple(ReadColumn(name, kind, True, at) for at, (name, kind) in enumerate(kinds.items())),
        ),
        (
            CopiedColumn("id", "id", kinds["id"], False, 0),
            CopiedColumn("note", "remark", text, True, 1, mapping),
        ),
        RowKey(columns=("id",)),
        Placement(suffixes=("_0",), shard_key=("id",)),
        LedgerTables("_sw_stage_t"),
    )


@pytest.mark.parametrize("masked", [False, True])
def test_i3_values_that_no_shard_shows_are_shown_by_their_length(masked: bool) -> None:
    before = {"id": "7", "note": "secret", "left_out": "hidden"}
    found = find_changed_columns(_table(masked=masked), before, before | {"note": None, "left_out": "x"})
    note = "(masked, 6 characters)" if masked else "secret"
    assert [(one.name, one.old, one.new) for one in found] == [
        ("note", note, None),
        ("left_out", "(masked, 6 characters)", "(masked, 1 characters)"),
    ]


def test_a_long_value_is_shown_by_its_length_and_hash() -> None:
    (found,) = find_changed_columns(_table(), None, {"note": "é" * 300})
    assert found.new is not None and found.new.startswith("600 bytes, SHA-256 ")


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ((), "no value for id"),
        (("id",), "write column=value"),
        (("id=1", "ID=2"), "there twice"),
        (("idd=1",), "did you mean 'id'"),
        (("remark=x",), "the key is id"),
        (("id=x",), "a whole number"),
        (("id=07",), "a whole number"),
    ],
)
def test_a_key_that_names_no_row_is_refused(pairs: tuple[str, ...], said: str) -> None:
    with pytest.raises(InputAtFault, match=said) as refused:
        parse_key(_table(), pairs)
    assert refused.value.code == "SW8516"


def test_a_key_is_typed() -> None:
    assert parse_key(_table(), ("ID=-7",)) == ("-7",)
