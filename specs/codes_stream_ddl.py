"""SW854x-SW856x: DDL on a followed table, met in the stream."""

from __future__ import annotations

from shardwright.specs.code_entry import Code

STREAM_DDL: tuple[Code, ...] = (
    Code(
        "SW8541",
        "a logged DDL statement is not understood",
        "A followed table is changed by words that cannot be read to the last one: vendor syntax, version comments, IF EXISTS.\n"
        "Nothing of it was applied and the stream is before it. Look at what it does to the rows, then let the run step over this one\n"
        "statement: `shardwright run --allow SW8114@FILE:POS`, with the place in the message. Its change can be brought to the targets by\n"
        "hand; `shardwright verify` says whether all is equal.",
    ),
    Code(
        "SW8542",
        "a followed table was emptied, dropped or replaced",
        "TRUNCATE, DROP, CREATE and RENAME leave no row events, so the targets' rows are no longer the source's. When the\n"
        "targets are to keep their rows, pass the statement over (`ignore_ddl`, or once with `--allow SW8114@FILE:POS`). When they are to\n"
        "get the table's new rows, step over it, then compare and repair: `shardwright verify --report json=FILE`, `shardwright repair FILE --run`.",
    ),
    Code(
        "SW8543",
        "a change of columns that is not carried to the targets",
        "`ddl: apply` brings added columns with a constant default, dropped ones, wider types and plain indexes to the targets,\n"
        "because they are known to give the same rows there. For anything else: step over the statement with\n"
        "`--allow SW8114@FILE:POS`, and change the targets by hand.",
    ),
    Code(
        "SW8544",
        "a unique key is added or dropped at the source",
        "The plan's statements keep the order among rows that share a unique value, so they must know every unique key.",
    ),
    Code(
        "SW8545",
        "one of several source tables is changed",
        "Source tables that make one logical table are read by one plan: change all of them while no run follows them, then\n"
        "step over the statements by hand.",
    ),
    Code(
        "SW8546",
        "columns are dropped or changed while rows are still copied",
        "Chunks are read as the source is now, the stream as it was. Added columns can be carried during the copy, others not:\n"
        "rows of chunks that were read behind the statement would get the change a second time with the targets.",
    ),
    Code(
        "SW8547",
        "the plan does not know a change that the stream has passed",
        "The source table's columns changed at the recorded place. Make the same change in the schema file, compile, run again.",
    ),
    Code(
        "SW8548",
        "the stream stands behind a change of columns",
        "Everything before the change is applied, and under `ddl: apply` the targets have it. Make the same change in the schema\n"
        "file (`shardwright import` does it when the source was not changed again), compile, run again: the run goes on there.",
    ),
    Code(
        "SW8549",
        "a new plan says more than the recorded change",
        "While a migration runs, a plan may only be changed by what a recorded DDL statement of the source explains: columns\n"
        "that it added, dropped or made wider. Take back the rest, or begin a new migration.",
    ),
    Code(
        "SW8550",
        "a pattern matches a statement that cannot be passed over",
        "A statement that changes columns, or is not understood, is never ignored: rows after it would be read wrongly. Let it be\n"
        "applied, or step over it by hand.",
    ),
    Code(
        "SW8551",
        "an online schema change cannot be told apart from a later one",
        "What the swap of the tables changed is seen by the table as it stands now, and it was changed again since. Step over the\n"
        "swap by hand, with the schema as it was after it.",
    ),
    Code(
        "SW8552",
        "a followed table was replaced by one with other rows",
        "A RENAME that puts another table in a followed one's place leaves no row events. It passes as an online schema change when the new\n"
        "table is proved to have the rows that the shards have; these differ, or it could not be told. If only writes since then\n"
        "differ, hold them for a moment and run again. If the shards are to get the new table's rows, step over the statement, then\n"
        "compare and repair: `shardwright verify --report json=FILE`, `shardwright repair FILE --run`.",
    ),
)
