"""How far a sample's forecast may be off: few stretches know their own error badly."""

from __future__ import annotations

import pytest

from shardwright.runtime.rehearsal.forecast.estimate import Tally


@pytest.mark.parametrize(("stretches", "errors"), [(4, 3.182), (6, 2.571), (11, 2.228), (31, 2.042), (1001, 1.962)])
def test_d17_the_error_is_students_of_so_many_stretches(stretches: int, errors: float) -> None:
    """Rows are alike half and half; `errors` are those of a table of Student's distribution (97.5 %)."""
    tally = Tally(factor=1e9)
    for number in range(stretches):
        tally.add({(number % 2, 0): (10, 100)})
    share = sum(1 for number in range(stretches) if number % 2) / stretches
    standard = (share * (1 - share) / (stretches - 1)) ** 0.5
    assert tally.error(1) == pytest.approx(errors * standard, rel=0.01)
