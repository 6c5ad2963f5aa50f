"""SW850x to SW853x: comparing source and shards, and repairing what differs."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code

VERIFY: tuple[Code, ...] = (
    Code("SW8501", "a table cannot be read for comparison", "The message repeats the server's reason."),
    Code("SW8502", "a comparison that cannot be trusted", "The server gave a warning while it computed the sums."),
    Code("SW8503", "a key that cannot bound a range", "The server does not find a key by its own value."),
    Code("SW8504", "the plan has no such table", "The message lists the tables of the plan."),
    Code("SW8505", "sums differ and no row does", "The tables were written to meanwhile: compare again."),
    Code("SW8506", "counts do not add up", "The tables were written to meanwhile: compare again."),
    Code(
        "SW8507",
        "the shards do not catch up",
        "What differs may be on its way: let a run follow the stream, then compare again.",
    ),
    Code(
        "SW8508", "rows are still being copied", "Compare when `shardwright status` says that the snapshot is complete."
    ),
    Code(
        "SW8509",
        "the source was written to",
        "With --at-position it has to be held still: compare again, or without it.",
    ),
    Code("SW8510", "no state of this comparison", "Remove the file of --state: the comparison begins anew."),
    Code("SW8520", "no result of verify", "Give the file that `shardwright verify --report json=PATH` has written."),
    Code("SW8521", "a result of another plan", "Verify again with the plan that runs."),
    Code(
        "SW8522",
        "a row that is to be repaired",
        "The run reads it again at the source; `dead-letters discard` takes it back.",
    ),
    Code("SW8523", "no run repairs the rows", "Start `shardwright run`, or repeat the repair with --run."),
    Code("SW8524", "more rows than --at-most", "Look at why so many differ before you allow more."),
    Code("SW8525", "a run is under way", "It repairs the rows by itself: leave --run out."),
    Code("SW8530", "options of verify that do not go together", "Leave one of them out."),
    Code("SW8531", "the plan has no such database", "The message lists the databases of the plan."),
    Code("SW8532", "a table that cannot be compared by shard", "Compare it whole, without --shard."),
    Code(
        "SW8536",
        "an invariant's number is too long",
        "Sums are added up with 28 digits before the point and 10 behind it. Round in the query what needs more: ROUND(amount, 4).",
    ),
    Code(
        "SW8538",
        "a table's changes wait",
        "`ddl apply` is at work on it in a way that keeps writers out, so the stream goes on without it: what differs there says nothing.\n"
        "Compare it again when `status` names no table that waits; the other tables can be compared meanwhile (`--table`).\n"
        "Once `ddl apply` is over, `verify` waits for the run to take what waited, at most `--patience` seconds; when no run is there to\n"
        "take it, start one.",
    ),
    Code(
        "SW8537",
        "an invariant could not be asked",
        "The message is what Spark or the server said. Where the tables of one query stand on several source servers, the source cannot be\n"
        "asked: make it one invariant per table.",
    ),
)
