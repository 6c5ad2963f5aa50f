"""The comparison of `make bench-check`, without timing; and the limits that are kept."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.bench import check
from tests.bench.limits import Limit, WrongLimit, above_limits, complaints, hints, read_limits

LIMITS: Final = {
    "compile.cold": Limit("sqlglot.parse", 3.7, 4.8, datetime.date(2026, 11, 30), "both plans"),
    "copy.lines": Limit("PyMySQL", 0.07, 0.1, datetime.date(2026, 11, 30), "bytes stay bytes"),
}


def test_what_is_below_its_limit_is_not_mentioned() -> None:
    assert complaints({"compile.cold": 4.8, "copy.lines": 0.07}, LIMITS) == []


def test_what_became_slower_is_named_with_its_limit_and_the_reason() -> None:
    assert complaints({"compile.cold": 5.04, "copy.lines": 0.07}, LIMITS) == [
        "compile.cold is 5.04 times sqlglot.parse; at most 4.8 is allowed since 2026-11-30 (both plans). Make it faster "
        "again, or raise the limit in tests/bench/limits.yaml with the reason and the date."
    ]


def test_a_ratio_without_a_limit_and_a_limit_without_a_ratio_are_named() -> None:
    assert complaints({"compile.cold": 1.0, "stream.new": 1.0}, LIMITS) == [
        "stream.new has no limit in tests/bench/limits.yaml.",
        "copy.lines has a limit, and was not measured.",
    ]


def test_what_became_much_faster_asks_for_a_lower_limit() -> None:
    assert hints({"compile.cold": 2.5, "copy.lines": 0.06}, LIMITS) == [
        "compile.cold is 2.5, and was 3.7 on 2026-11-30: lower its limit."
    ]


def test_noise_is_measured_again_and_the_least_counts() -> None:
    rounds: Iterator[Mapping[str, float]] = iter([{"a": 3.0, "b": 1.0}, {"a": 1.5, "b": 2.0}, {"a": 0.1, "b": 0.1}])
    found = check.least_of(lambda: next(rounds), lambda found: ["a"] if found["a"] > 2 else [], tries=3)
    assert found == {"a": 1.5, "b": 1.0}


def test_what_stays_above_its_limit_is_measured_three_times() -> None:
    taken: list[int] = []

    def measure() -> dict[str, float]:
        taken.append(1)
        return {"a": 3.0}

    assert check.least_of(measure, lambda found: ["a"], tries=3) == {"a": 3.0}
    assert len(taken) == 3


def test_the_kept_limits_are_of_the_benchmarks() -> None:
    assert {name.partition(".")[0] for name in read_limits()} == set(check.BENCHMARKS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("a: {yardstick: x, measured: 1, most: 2, date: 2026-11-30}", "a has the keys", id="no reason"),
        pytest.param("a: 3", "a has the keys", id="a number alone"),
        pytest.param("a: {yardstick: x, measured: 1, most: 2, date: soon, reason: y}", "needs a date", id="no date"),
        pytest.param(
            "a: {yardstick: x, measured: 1, most: 2, date: 2026-11-30, reason: ' '}", "a reason", id="empty reason"
        ),
        pytest.param(
            "a: {yardstick: x, measured: 3, most: 2, date: 2026-11-30, reason: y}", "measured <= most", id="above"
        ),
    ],
)
def test_a_limit_says_why_and_since_when(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "limits.yaml"
    file.write_text(text)
    with pytest.raises(WrongLimit, match=message):
        read_limits(file)


def test_a_ratio_above_its_limit_fails_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [name for name in read_limits() if name.startswith("copy.")]
    ratios = dict.fromkeys(names, 0.01)
    monkeypatch.setattr(check, "BENCHMARKS", {"copy": lambda: dict(ratios)})
    monkeypatch.setattr("sys.argv", ["check", "--json", str(tmp_path / "check.json")])
    assert check.main() == 0
    limits = read_limits()
    assert above_limits(ratios, limits) == []
    ratios["copy.lines"] = 2 * limits["copy.lines"].most
    assert check.main() == 1
    assert "bench-check: copy.lines is 0.2 times PyMySQL" in capsys.readouterr().err
