"""An answer again and again: what fails later is shown beside the last answer, what fails first ends the command."""

from __future__ import annotations

import pytest

from shardwright.runtime.cli.redraw import redraw
from shardwright.runtime.failures import Unreachable


class _Status:
    def __init__(self, *given: str | BaseException) -> None:
        self._given = [*given, KeyboardInterrupt()]

    def __call__(self) -> str:
        one = self._given.pop(0)
        if isinstance(one, BaseException):
            raise one
        return one


GONE = Unreachable("SW8101", "cannot reach a:3306")


def test_an_outage_in_between_keeps_the_last_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert redraw(_Status("batch 1", GONE, GONE, "batch 2"), every=0, in_place=True) == 0
    failed = "cannot be read now: SW8101: cannot reach a:3306\n\nbatch 1\n"
    assert capsys.readouterr().out == f"batch 1\n{failed}{failed}batch 2\n"


def test_the_first_answer_must_be_there() -> None:
    with pytest.raises(Unreachable):
        redraw(_Status(GONE), every=0, in_place=False)
