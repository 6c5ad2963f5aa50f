"""The verdict of a comparison in words."""

from __future__ import annotations

from shardwright.runtime.verify.result import Verdict, VerifyResult


def test_batches_that_changed_no_row_are_not_reported_as_a_failure() -> None:
    """Where a run compares what its batches changed; `verify` itself always has tables."""
    result = VerifyResult("shop", "0" * 64, (), 0.1)
    assert result.verdict is Verdict.COULD_NOT_CHECK, "nothing was proved either"
    assert result.in_words == "there was nothing to compare"
