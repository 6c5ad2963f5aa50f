"""A fingerprint stays when lines move, and tells findings apart."""

from __future__ import annotations

from dataclasses import replace

from shardwright.compiler.review.report.fingerprint import fingerprints
from shardwright.compiler.review.report.result import Sources
from shardwright.specs.findings.diagnostics import Diagnostic, Span

LINES = ["weight: 1", "key: [id]", "key: [id]"]


def sources(lines: list[str]) -> Sources:
    return Sources(lambda file, number: lines[number - 1], lambda file: file)


def at(line: int, code: str = "SW5004") -> Diagnostic:
    return Diagnostic(code, "a message", Span("s.yaml", line, 6))


def test_it_stays_when_lines_are_added_above_and_margins_change() -> None:
    moved = ["# new", "# new", *(f"    {line}" for line in LINES)]
    assert fingerprints([at(1), at(2)], sources(LINES)) == fingerprints([at(3), at(4)], sources(moved))


def test_equal_lines_are_distinguished_by_their_order() -> None:
    first, second = fingerprints([at(2), at(3)], sources(LINES))
    assert first != second


def test_everything_that_matters_counts() -> None:
    one = at(1)
    others = [
        at(1, "SW5005"),
        at(2),
        replace(one, message="another"),
        replace(one, span=replace(one.span, file="t.yaml")),
    ]
    assert len({*fingerprints([one, *others], sources(LINES))}) == 5
    assert fingerprints([replace(one, hint="did you mean?")], sources(LINES)) == fingerprints([one], sources(LINES))
