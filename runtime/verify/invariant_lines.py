"""Invariants in the text that `verify` prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from shardwright.runtime.verify.result import InvariantDifference, InvariantResult, Verdict

_SHOWN = 20


def lines_of(result: InvariantResult) -> Iterator[str]:
    """One line when all is well."""
    wanted = "nothing on either side" if result.must_be_empty else "the same on both sides"
    word = {Verdict.EQUAL: "holds", Verdict.DIFFERENT: "BROKEN"}.get(result.verdict, "could not check")
    count = ""
    if result.differences:
        what = "rows" if result.must_be_empty else "groups"
        count = f", {'at least ' if result.more else ''}{len(result.differences):,} {what}"
    yield f"invariant {result.name} ({wanted}): {word}{count} ({result.seconds:.1f} s)"
    if result.problem:
        yield f"  {result.problem}"
    if result.unsettled:
        groups = "; ".join(", ".join(key) or "all rows" for key in result.unsettled[:5])
        yield f"  {len(result.unsettled):,} groups kept changing while they were compared: {groups}. With the source held still: --at-position"
    for difference in result.differences[:_SHOWN]:
        yield f"  {told(difference)}"
    if len(result.differences) > _SHOWN:
        yield f"  ... and {len(result.differences) - _SHOWN:,} more, see the JSON report"


def told(difference: InvariantDifference) -> str:
    """ "status 'new': source orders 7, amount 12.5; shards orders 6, amount 12.5"."""
    group = ", ".join(f"{name} {_value(value)}" for name, value in difference.group.items()) or "all rows"
    sides = [
        f"{name} {_side(values)}" for name, values in (("source", difference.source), ("shards", difference.shards))
    ]
    return f"{group}: {'; '.join(sides)}"


def _side(values: Mapping[str, str | None] | None) -> str:
    if values is None:
        return "nothing"
    return ", ".join(f"{name} {'NULL' if value is None else value}" for name, value in values.items()) or "has it"


def _value(value: str | None) -> str:
    return "NULL" if value is None else repr(value)
