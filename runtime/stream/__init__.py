"""The change stream: Spark decides each batch by the plan's SQL, stages keep the decisions, sub-steps apply them
(contract C1, C7).

Sub-rooms, lowest first: `families`, `stage`, `apply`, then `quarantine` and `schema_change`, then `batch`, `rounds` and
`follow`.
Runs in the driver, but for `stage` and look-ups; writes to shards, as the writer that holds the fencing token.
"""
