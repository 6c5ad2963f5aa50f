"""SW6xxx: deletes and safety."""

from __future__ import annotations

from shardwright.specs.code_entry import Code

SAFETY: tuple[Code, ...] = (
    Code(
        "SW6001",
        "the delay is missing",
        "Policy 'delay' needs to know for how long.",
        "deletes: {policy: delay, delay: 10m}",
    ),
    Code("SW6002", "a delay without the policy", "Only policy 'delay' waits. Remove `delay`, or choose that policy."),
)
