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
        "A batch of the stream holds more deletes for a table than its `stop_above` allows. Nothing of the batch was "
        "applied. Find out what deleted the rows. If it was meant, allow this batch once, as the message says, or "
        "raise the limit.",
    ),
    Code(
        "SW6004",
        "a key that is in two source tables",
        "Several source tables become one, and one of their keys is in two of them. The tool cannot know which row is "
        "meant. Nothing was overwritten. Delete one of the two rows at the source (or give it another key), then run "
        "again.",
    ),
    Code(
        "SW6101",
        "a version column that ties",
        "The version decides whether the tool overwrites a row that others wrote on a shard. Two writes within one "
        "second have one version, so it cannot say which is newer.",
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
        "deletes without tombstones",
        "During the snapshot, the stream may read a delete before the chunk that still holds the row is copied. "
        "Policy until_snapshot keeps a tombstone until no chunk can bring the row back.",
        "deletes: until_snapshot",
    ),
)
