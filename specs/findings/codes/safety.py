"""SW6xxx: deletes and safety (SW60xx), and what lint rules advise about them (SW61xx)."""

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
    Code(
        "SW6101",
        "a version column that ties",
        "The version decides whether a row that others wrote on a shard stays. Two writes within one second have one version,\n"
        "so it cannot say which is newer.",
        "`updated_at` timestamp(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)",
    ),
    Code(
        "SW6102",
        "a version column that may be NULL",
        "NULL compares with nothing: such a row is not guarded.",
        "`version` bigint NOT NULL DEFAULT 0",
    ),
    Code(
        "SW6103",
        "deletes that are not remembered",
        "While rows are copied, a delete may pass before the chunk that still holds the row. Policy until_snapshot remembers\n"
        "it until no chunk can bring the row back.",
        "deletes: until_snapshot",
    ),
)
