"""SW6xxx: deletes and safety."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code

SAFETY: tuple[Code, ...] = (
    Code(
        "SW6001",
        "the delay is missing",
        "Policy 'delay' needs to know for how long.",
        "deletes: {policy: delay, delay: 10m}",
    ),
    Code("SW6002", "a delay without the policy", "Only policy 'delay' waits. Remove `delay`, or choose that policy."),
    Code(
        "SW6003",
        "more deletes than the ceiling",
        "A batch of the stream holds more deletes for a table than its `stop_above` allows. Nothing of the batch was applied. Find\n"
        "out what deleted the rows; if it was meant, allow this batch once, as the message says, or raise the ceiling.",
    ),
    Code(
        "SW6004",
        "a key that stands in two source tables",
        "Several source tables become one, and one of their keys stands in two of them: which row is meant cannot be known.\n"
        "Nothing was overwritten. Delete one of the two rows at the source (or give it another key), then run again.",
    ),
)
