"""docs/reference/hazards.md says what the tests show, no more and no less. SHARDWRIGHT_REWRITE=1 writes it anew."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.unit.hazards.named import NamedTest, find_named_tests, hazards_of
from tests.unit.hazards.page import GROUPS, VERDICTS, Hazard, page, read_hazards

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "reference" / "hazards.md"
CASES = ROOT / "tests" / "cases" / "invalid"
HAZARDS = read_hazards(ROOT / "tests" / "hazards.yaml")
Tests = Mapping[str, tuple[NamedTest, ...]]


@pytest.fixture(scope="module")
def tests() -> Tests:
    """Read once, and not by workers that run other files."""
    return find_named_tests(ROOT)


def test_every_hazard_is_listed_in_order() -> None:
    counted = {letter: sum(hazard.number[0] == letter for hazard in HAZARDS) for letter in GROUPS}
    assert [hazard.number for hazard in HAZARDS] == [
        f"{letter}{number}" for letter, count in counted.items() for number in range(1, count + 1)
    ]
    assert all(hazard.verdict in VERDICTS for hazard in HAZARDS)


def test_a_test_names_only_hazards_that_exist(tests: Tests) -> None:
    unknown = {number: named for number, named in tests.items() if number not in {hazard.number for hazard in HAZARDS}}
    assert not unknown, f"not in tests/hazards.yaml: {unknown}"


def test_verdicts_agree_with_the_tests(tests: Tests) -> None:
    wrong = [words for hazard in HAZARDS for words in _wrong(hazard, tests.get(hazard.number, ()))]
    assert not wrong, "tests/hazards.yaml:\n" + "\n".join(wrong)


def test_make_test_has_a_test_of_each_hazard(tests: Tests) -> None:
    """What is `long` runs in `make test-all` only."""
    assert [number for number, named in tests.items() if all(test.long for test in named)] == []
    assert any(test.long for named in tests.values() for test in named), "no mark is found any more"


def test_what_is_wrong_is_reported() -> None:
    one = (NamedTest("tests/test_x.py", "test_a1_x"),)
    for verdict, tests, why in (("held", (), ""), ("refused", (), ""), ("partly", (), "w"), ("partly", one, "")):
        assert _wrong(Hazard("A1", "n", verdict, why, ()), tests), verdict
    assert _wrong(Hazard("A1", "n", "not yet", "w", ()), one)
    assert _wrong(Hazard("A1", "n", "held", "", ("no-such-case",)), one)
    assert hazards_of("test_a1_b3_half_of_c4") == ("A1", "B3")
    assert hazards_of("test_an_a1_page") == ()


def test_the_page_is_current(tests: Tests) -> None:
    current = page(HAZARDS, tests)
    if os.environ.get("SHARDWRIGHT_REWRITE") and not os.environ.get("CI"):
        PAGE.write_text(current, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == current, "SHARDWRIGHT_REWRITE=1 pytest tests/unit/hazards"


def _wrong(hazard: Hazard, tests: tuple[NamedTest, ...]) -> list[str]:
    """What of `hazard` the tests contradict."""
    wrong = [f"{hazard.number}: no case {case}" for case in hazard.cases if not (CASES / case).is_dir()]
    if hazard.verdict == "not yet":
        wrong += [f"{hazard.number} is said to be 'not yet', but there is {test}" for test in tests]
    elif not tests and not (hazard.verdict != "held" and hazard.cases):
        wrong.append(f"{hazard.number} is said to be '{hazard.verdict}', but no test names it")
    if hazard.verdict in {"partly", "not yet"} and not hazard.why:
        wrong.append(f"{hazard.number}: '{hazard.verdict}' needs a `why`")
    return wrong
