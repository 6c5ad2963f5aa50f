"""Which action of `cutover` goes with which state, and what is said where it does not."""

from __future__ import annotations

import json

import pytest

from shardwright.runtime.cli.cutover_switch import _require_fitting
from shardwright.runtime.failures import Refused
from shardwright.runtime.ledger.cutover_state import CutoverDetail, CutoverState
from shardwright.specs.direction import Side

_BEGUN = CutoverDetail(fenced_at=1.0, to="shards")


@pytest.mark.parametrize(
    ("state", "to", "rehearse", "said"),
    [
        (CutoverState(), "shards", False, None),
        (CutoverState(), "shards", True, None),
        (CutoverState(), "source", False, "writes go to the source already"),
        (CutoverState("reversing", "shards", 1), "source", False, None),
        (CutoverState("reversing", "shards", 1, _BEGUN), "source", True, None),
        (CutoverState("reversing", "shards", 1), "shards", False, "writes go to the shards already"),
        (
            CutoverState("ready", detail=CutoverDetail(to="shards", rehearsal=True)),
            "shards",
            False,
            None,
        ),  # nothing is fenced
        (CutoverState("fenced", detail=_BEGUN), "shards", False, None),
        (CutoverState("fenced", detail=_BEGUN), "shards", True, "abort"),
        (CutoverState("armed", detail=_BEGUN), "source", False, "a cutover to the shards is in progress"),
        (CutoverState("switched", "shards", 1, _BEGUN), "shards", False, None),
        (CutoverState("switched", "shards", 1, _BEGUN), "shards", True, "the switch to the shards is made"),
        (CutoverState("switched", "shards", 1, _BEGUN), "source", False, "the switch to the shards is made"),
        (CutoverState("finished", "shards", 1, _BEGUN), "source", False, "finished"),
        (CutoverState("finishing", "shards", 1, _BEGUN), "shards", False, "finished"),
    ],
)
def test_actions_fit_states(state: CutoverState, to: Side, rehearse: bool, said: str | None) -> None:
    if said is None:
        _require_fitting(state, to, rehearse=rehearse)
        return
    with pytest.raises(Refused, match=said) as refused:
        _require_fitting(state, to, rehearse=rehearse)
    assert refused.value.code == "SW8915"


def test_a_begun_cutover_is_one_that_may_have_closed_a_side() -> None:
    assert not CutoverState("following", detail=_BEGUN).is_fenced  # the last one gave up
    assert not CutoverState("ready", detail=CutoverDetail(to="shards")).is_fenced
    assert CutoverState("ready", detail=_BEGUN).is_fenced


def test_the_detail_of_a_row_is_read_back_and_what_is_foreign_is_left_out() -> None:
    detail = CutoverDetail(to="shards", fences={"source": {"a": 1}}, fenced_at=2.5, next_ids=("orders: 7",), pause=0.0)
    assert CutoverDetail.from_json(detail.to_json()) == detail
    assert CutoverDetail.from_json('{"to": "source", "triggers": ["evil"]}') == CutoverDetail(to="source")
    assert json.loads(CutoverDetail().to_json()) == {
        "rehearsal": False,
        "fences": {},
        "next_ids": [],
        "rehearsed": {},
        "moves_compared": {},
    }
