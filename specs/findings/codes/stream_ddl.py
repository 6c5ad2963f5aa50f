"""SW854x-SW856x: DDL on a followed table, met in the stream."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code
from shardwright.specs.findings.remedies import START_OVER

STREAM_DDL: tuple[Code, ...] = (
    Code(
        "SW8541",
        "a logged DDL statement is not understood",
        "A followed table is changed by words that cannot be read to the last one: vendor syntax, version comments, IF EXISTS.\n"
        "Nothing was applied and the stream stands before it. Make the change on the targets by hand, let the run step over this one\n"
        "statement (`shardwright run --allow SW8114@FILE:POS`, with the place in the message), then change the schema file, if the\n"
        "columns are others now, compile, run.",
    ),
    Code(
        "SW8542",
        "a followed table was emptied, dropped or replaced",
        "TRUNCATE, DROP, CREATE, RENAME (of the table, or of another one to its name), partitions that are dropped or exchanged,\n"
        "another engine, imported tablespaces and REPAIR leave no row events, so the targets' rows are no longer the source's. Step\n"
        "over the statement (`--allow SW8114@FILE:POS`; `ignore_ddl` for each of its kind). The targets keep their rows; to give\n"
        "them the source's, let the run catch up, then `verify --report json=RESULT` and `repair RESULT --delete-extra`.",
    ),
    Code(
        "SW8543",
        "a change of columns that is not carried to the targets",
        "`ddl: apply` brings added columns with a constant default, dropped ones, wider types and plain indexes to the targets,\n"
        "because they are known to give the same rows there. For anything else: change the targets by hand, step over the statement\n"
        "with `--allow SW8114@FILE:POS`, then change the schema file, compile, run.",
    ),
    Code(
        "SW8544",
        "a unique key is dropped at the source",
        "Its rows may have equal values from now on, and the targets would refuse them. Drop the key on the targets by hand, then step over\n"
        "the statement (`shardwright run --allow SW8114@FILE:POS`, with the place in the message). An online schema change that ends with\n"
        "other unique keys is refused, too: its tool leaves rows out that collide. A key that is added is passed over: the targets do\n"
        "not get it, and need none. The schema file of a migration that has begun keeps the keys it has (SW8549).",
    ),
    Code(
        "SW8545",
        "one of several source tables is changed",
        "Source tables that make one logical table are read by one plan, with the same columns. Change all of them with no rows\n"
        "written to any of them in between, change the targets by hand, and let the run step over each statement. Then the first row\n"
        "with the new columns stops the run (SW8113): import the schema, compile, run. Where rows were written in between, no plan\n"
        f"reads them all: {START_OVER}.",
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
        "swap by hand, with the schema as it was after it; `verify` and `repair` afterwards, as for SW8542.",
    ),
    Code(
        "SW8552",
        "a table was replaced by another one, whose rows may be others",
        "A RENAME of two tables passes under `ddl: apply` when the source still has both, they hold the same rows (to the byte, with\n"
        "added columns at their DEFAULT), and the log shows that neither was written between the swap and the comparison. It must also\n"
        "be a change that `apply` carries. Otherwise go on as for SW8542: change the targets' columns by hand where they are others,\n"
        "step over the statement, let the run catch up, `verify --report json=RESULT`, `repair RESULT --delete-extra`.",
    ),
)
