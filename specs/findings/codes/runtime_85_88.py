"""SW85xx to SW88xx: comparing and repairing (SW850x to SW853x) with quarantined rows (SW851x), DDL on a followed table
(SW854x to
SW856x), the sandbox (SW86xx), the dry run (SW87xx), the lock and the difference between two versions (SW880x to
SW884x), and spec tests
(SW885x and SW886x)."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code
from shardwright.specs.findings.remedies import RECOPY, START_OVER

RUNTIME_85_88: tuple[Code, ...] = (
    Code("SW8501", "a table cannot be read for comparison", "The message repeats the server's reason."),
    Code("SW8502", "a comparison that cannot be trusted", "The server gave a warning while it computed the sums."),
    Code("SW8503", "a key that cannot bound a range", "The server does not find a key by its own value."),
    Code("SW8504", "the plan has no such table", "The message lists the tables of the plan."),
    Code("SW8505", "sums differ and no row does", "The tables were written to meanwhile: compare again."),
    Code("SW8506", "counts do not add up", "The tables were written to meanwhile: compare again."),
    Code(
        "SW8507",
        "the shards do not catch up",
        "The differences may be changes in flight. Follow the stream with a run, then compare again. While `ddl apply` "
        "blocks writes to a table, the stream waits: compare again when that DDL has ended.",
    ),
    Code(
        "SW8508", "rows are still being copied", "Compare when `shardwright status` says that the snapshot is complete."
    ),
    Code(
        "SW8509",
        "the source was written to",
        "With --at-position the source must be read-only: compare again, or without it.",
    ),
    Code(
        "SW8510",
        "no checkpoint of this comparison",
        "Remove the file of --checkpoint: the comparison starts from the beginning.",
    ),
    Code(
        "SW8511",
        "a target refuses a row",
        "A value does not fit the target's column, or no partition of the target takes the row (`partitions: keep`: "
        "add the partition to every physical table, run again). Under `errors: quarantine` the row's key becomes a "
        "dead letter, with all its later events: `shardwright dead-letters list` shows it. Fix the source's row or the "
        "target's column, then `dead-letters retry`.",
    ),
    Code(
        "SW8512",
        "more dead letters than `at_most` allows",
        "So many refused rows have a common cause. Find it, then raise `errors.at_most`, fix the rows or the targets, "
        "or `dead-letters discard` what is not needed.",
    ),
    Code(
        "SW8513",
        "there is no such dead letter",
        "`shardwright dead-letters list` names tables and keys as they are given to --table and --key.",
    ),
    Code(
        "SW8514",
        "a dead letter of a moved row cannot be discarded",
        "Its events named several places. When it is discarded, an old row could stay in one of them and a new one be "
        "written to another. Fix the cause of the refusal, then `dead-letters retry`: the run reads the row again and "
        "clears every place that it has left.",
    ),
    Code(
        "SW8515",
        "a dead letter's row cannot be read again at its source now",
        "A retry reads the row at the source's server, also when changes come by a queue or a folder. While that "
        "server does not answer, or refuses the query, the letters wait and the stream continues. The next run that "
        "can read the row applies it. When the server no longer exists, discard the letters with `dead-letters "
        "discard`.",
    ),
    Code("SW8520", "no result of verify", "Give the file that `shardwright verify --report json=PATH` has written."),
    Code("SW8521", "a result of another plan", "Verify again with the plan that runs."),
    Code(
        "SW8522",
        "a row that is to be repaired",
        "The run reads it again at the source. `dead-letters discard` cancels that.",
    ),
    Code("SW8523", "no run repairs the rows", "Start `shardwright run`, or repeat the repair with --run."),
    Code("SW8524", "more rows than --max-rows", "Find out why so many rows differ before you allow more."),
    Code("SW8525", "a run is live", "It repairs the rows by itself: leave --run out."),
    Code("SW8530", "options of verify that do not go together", "Leave one of them out."),
    Code("SW8531", "the plan has no such database", "The message lists the databases of the plan."),
    Code("SW8532", "a table that can only be compared whole", "Compare it without --shard and without --recent."),
    Code(
        "SW8533",
        "not all keys are known that changed since the last comparison",
        "A cutover compares again what changed since `shardwright verify`. Run `shardwright verify` once more, whole: "
        "the proof starts from there.",
    ),
    Code(
        "SW8536",
        "an invariant's number is too long",
        "Sums are added up with 28 digits before the point and 10 behind it. Round in the query what needs more: "
        "ROUND(amount, 4).",
    ),
    Code(
        "SW8537",
        "the query of an invariant failed",
        "The message repeats what Spark or the server said. If the tables of one query are on several source servers, "
        "the source cannot run it: make it one invariant per table.",
    ),
    Code(
        "SW8541",
        "a logged DDL statement is not understood",
        "A followed table is changed by a statement that cannot be read to its end: vendor syntax, version comments. "
        "Nothing of it was applied, and the stream stopped before it. Make the change on the targets by "
        "hand. Skip this one statement (`shardwright run --allow SW8114@FILE:POS`, with the place in the message). "
        "Then change the schema file, if the columns differ now, compile, run.",
    ),
    Code(
        "SW8542",
        "a followed table was emptied, dropped or replaced",
        "These statements leave no row events, so the targets' rows differ from the source's: TRUNCATE, DROP, CREATE, "
        "RENAME (of the table, or to its name), dropped or exchanged partitions, another engine, imported "
        "tablespaces, REPAIR. When partitions by listed values are reorganized, servers drop rows that no new one "
        "lists. Under `ddl: apply` the rows of a TRUNCATE go from the targets, too, unless the message says why not. "
        "Skip the statement: `--allow SW8114@FILE:POS` once, `ignore_ddl` for each of its kind, such as those "
        "of a nightly job. The targets keep their rows. To give them the source's, run until caught up, then `verify "
        "--report json=RESULT` and `repair RESULT --delete-extra`.",
    ),
    Code(
        "SW8543",
        "a change of columns that is not carried to the targets",
        "`ddl: apply` carries added columns with a constant default, dropped ones, new names, other DEFAULTs, wider "
        "and narrower types and plain indexes to the targets, because they are known to give the same rows there. For "
        "anything else, change the targets by hand. Skip the statement with `--allow SW8114@FILE:POS`. Then change "
        "the schema file, compile, run. A table that goes by `key: all_columns` is copied again instead, with the "
        "columns that it has now: the message says how.",
    ),
    Code(
        "SW8544",
        "a unique key is dropped at the source",
        "Its rows may have equal values from now on, and the targets would refuse them. Drop the key on the targets "
        "by hand, then skip the statement (`shardwright run --allow SW8114@FILE:POS`, with the place in the message). "
        "An online schema change that ends with other unique keys is refused, too: its tool drops rows that collide. "
        "An added key is skipped: the targets do not get it, and need none. The schema file of a migration that has "
        "begun keeps the keys it has (SW8549).",
    ),
    Code(
        "SW8545",
        "one of several source tables is changed",
        "Source tables that make one logical table are read by one plan, with the same columns. Change all of\n"
        "them with no rows written to any of them in between. Change the targets by hand, and skip each\n"
        "statement. Then the first row with the new columns stops the run (SW8113): import the schema, compile,\n"
        "run. Where rows were written in between, no plan reads them all:\n"
        f"{START_OVER}.",
    ),
    Code(
        "SW8546",
        "columns are dropped or changed while rows are still copied",
        "The copy reads chunks as the source is now, the stream reads events as it was. The copy can carry added "
        "columns, but no other change: rows of chunks read after the statement would get the change a second time on "
        "the targets.",
    ),
    Code(
        "SW8547",
        "the plan does not know a change that the stream has read",
        "The source table's columns changed at the recorded place. Make the same change in the schema file, compile, "
        "run again.",
    ),
    Code(
        "SW8548",
        "the stream has read a change of columns",
        "Everything before the change is applied, and under `ddl: apply` the targets have it. Make the same change in "
        "the schema file (`shardwright import` does it when the source was not changed again), compile, run again. "
        "The run continues there.",
    ),
    Code(
        "SW8549",
        "a new plan says more than the recorded change",
        "The stream waits for a plan that knows one recorded DDL statement of the source: columns that it added, "
        "dropped, renamed or made wider. Take back the rest, compile, run. Other changes of the plan come after it.",
    ),
    Code(
        "SW8550",
        "a pattern matches a statement that cannot be skipped",
        "A statement that changes columns, or is not understood, is never ignored: rows after it would be read "
        "wrongly. Apply it (`ddl: apply`), or skip it by hand.",
    ),
    Code(
        "SW8551",
        "an online schema change cannot be distinguished from a later one",
        "The tool finds out what a swap of tables changed by looking at the table as it is now, and it was changed "
        "again since. The same is done for CONVERT TO CHARACTER SET without COLLATE. Skip the statement by "
        "hand, with the schema as it was after it. Then use `verify` and `repair`, as for SW8542.",
    ),
    Code(
        "SW8552",
        "a table was replaced by another one, whose rows may be others",
        "Under `ddl: apply`, a RENAME of two tables passes when the source still has both and they hold the same rows "
        "(to the byte, with added columns at their DEFAULT). The log must show that neither was written between the "
        "swap and the comparison. It must also be a change that `apply` carries. Otherwise, as for SW8542: change the "
        "targets' columns by hand where they differ, skip the statement, run until caught up, then `verify --report "
        "json=RESULT` and `repair RESULT --delete-extra`.",
    ),
    Code(
        "SW8553",
        "the source is partitioned otherwise, and the targets are to be partitioned like it",
        "The spec says `partitions: keep`, and the statement cannot be brought to the targets by itself: PARTITION BY, "
        "REMOVE PARTITIONING, or partitions of one of several source tables. No row is other for it. Give the "
        "statement to every physical table by hand, where the targets need it, and skip it with the command of the "
        "message. Or say `ignore_ddl` with a pattern for it, and the targets stay as they are.",
    ),
    Code(
        "SW8554",
        "a statement on a followed table failed at the source",
        "The log has the statement with the number of an error: it ended early, and did nothing, a part or all of it. "
        "So it is not brought to the targets. Compare SHOW CREATE TABLE at the source with the schema file. Make what "
        "it changed on the targets by hand, and skip the statement as the message says. Then `verify` and `repair`, as "
        "for SW8542. An ALTER that MariaDB starts and takes back in its log passes: it is no change.",
    ),
    Code(
        "SW8555",
        "the source cut its own values, and a row of a target does not fit",
        "The source's table got a narrower type or NOT NULL in a session without strict mode (`sql_mode`). So the "
        "source made other values of those that did not fit, and its log does not have these changes. The shards have "
        "the values of before. With the command, the shards execute the statement without strict mode, too, and make "
        "the same values. `verify` compares them.",
        "shardwright run --allow SW8555 && shardwright verify",
    ),
    Code(
        "SW8557",
        "a table was emptied while rows are still copied",
        "A chunk that was read before the TRUNCATE may be written after it, and would bring rows back. The message "
        "ends with a command. It skips this one statement, removes the rows that the targets have of the table, and "
        "copies what the source has now.",
        f"{RECOPY} orders --allow SW8114@binlog.000007:4021",
    ),
    Code("SW8601", "the sandbox cannot fill a data folder", "The message has the end of the server's log."),
    Code("SW8602", "a sandbox server did not come up", "The message has the end of the server's log."),
    Code("SW8603", "Docker failed", "The message repeats what it said."),
    Code(
        "SW8604", "no database server to start", "The sandbox needs mariadbd, mysqld or a Docker engine that answers."
    ),
    Code(
        "SW8605",
        "a number of sandbox servers that does not fit",
        "Ask for one server at least, one a database at most.",
    ),
    Code("SW8606", "there is no sandbox", "`shardwright sandbox up` starts one and keeps its state in that folder."),
    Code("SW8607", "another sandbox is in the way", "End it with `shardwright sandbox down`, or use another folder."),
    Code(
        "SW8608",
        "a sandbox folder that others may write",
        "A folder that another account made, or may write, could hold that account's passwords and files, and the "
        "sandbox would use them as yours. Every account can write to `/tmp`. Use a folder in your home, or one that "
        "`mktemp -d` made.",
        "shardwright sandbox up --folder ~/.cache/shop-sandbox",
    ),
    Code(
        "SW8701",
        "Spark does not accept a statement",
        "Found by the dry run. The note is Spark's reason. The compiler wrote the statement, so please report it, "
        "with the table's CREATE TABLE and its entry in the spec.",
    ),
    Code(
        "SW8702",
        "a statement's result does not fit",
        "Found by the dry run: a fault of the compiler, please report it.",
    ),
    Code("SW8703", "a statement fails on generated rows", "Found by the dry run. The note is Spark's reason."),
    Code(
        "SW8704",
        "a statement gives a wrong result",
        "Found by the dry run: for the events in the note, the contract asks for another result. The compiled "
        "statement is wrong, and running it would write wrong rows to the shards. Please report it with the finding.",
    ),
    Code(
        "SW8705",
        "a property test of the dry run fails",
        "Found by the dry run: for the generated history in the notes, reduced to the smallest that fails, the "
        "contract asks for another result than the statement gives. The compiled statement is wrong; please report it "
        "with the finding. The history is printed as a spec test too.",
    ),
    Code(
        "SW8801",
        "there is no lock",
        "shardwright.lock records what the specs compile to. CI compares it, so no change of a spec, a schema or the "
        "tool goes unreviewed.",
        "shardwright compile && git add shardwright.lock",
    ),
    Code(
        "SW8802",
        "the lock is not current",
        "What the specs compile to is not what was committed. Compile, look at `shardwright diff`, commit the lock "
        "with the change that made it differ.",
        "shardwright compile && shardwright diff && git add shardwright.lock",
    ),
    Code(
        "SW8803",
        "the lock cannot be read",
        "It is damaged, of another format, or has the marks of a merge. Compiling writes it again; nothing is lost.",
        "rm shardwright.lock && shardwright compile",
    ),
    Code(
        "SW8804", "a plan on disk is not current", "The build folder holds another plan than the specs make: compile."
    ),
    Code(
        "SW8810",
        "the base version cannot be read",
        "`diff` reads the older specs from git. In CI, fetch enough of the history to have the commit you name.",
        "git fetch --depth=100 origin main && shardwright diff --base origin/main",
    ),
    Code(
        "SW8811",
        "a file of keys cannot be read",
        "It is CSV in UTF-8: a first line with the names of the shard key columns, then a key a line; bytes as "
        "hexadecimal.",
        "user_id\n4711\n4712",
    ),
    Code(
        "SW8851",
        "a case's rows are not as expected",
        "The plan's SQL gives other rows than the test expects. `-` is expected and missing, `+` is there and not "
        "expected, `~` marks the columns that differ. Either the spec does not say what was meant, or the test does "
        "not.",
    ),
    Code(
        "SW8852",
        "tests of an unknown migration",
        "`migration` names the migration under test, as one of the project's specs does.",
        "migration: shop-split",
    ),
    Code(
        "SW8853",
        "a test names an unknown source table",
        "`given` and `events` speak of source tables, by name, or as database.table where several databases have the "
        "table. The events of a backward case speak of tables of the shards. Tables that go by `key: all_columns` "
        "cannot be tested: no row of theirs can be followed.",
        "- insert: order_item_1",
    ),
    Code(
        "SW8854",
        "a test names an unknown column",
        "`given` and `events` use the source's column names, `expect` those on the shards. A backward case has it the "
        "other way round, except for `given.rows`.",
    ),
    Code(
        "SW8855",
        "a value that the column cannot hold",
        "The message says why. A source with strict mode would refuse it too.",
    ),
    Code(
        "SW8856",
        "a test expects rows in an unknown table",
        '`expect` names target databases (a range such as "order_db_{0..3}" names several) and their physical tables; '
        "`anywhere` names logical tables. A backward case expects rows in the source's databases and tables.",
        "expect:\n  order_db_01:\n    order_info_2:\n      - {order_id: 4}",
    ),
    Code(
        "SW8857",
        "an event that cannot happen",
        "An update or a delete whose rows do not exist, or a row whose key exists already: the source would log "
        "nothing, or refuse. The events of a test start from its given rows. In a backward case a row may be in two "
        "tables of the shards while it moves, but not after the last event.",
    ),
    Code(
        "SW8858",
        "a test's row without its key, its shard key or a generated value",
        "All other columns may be left out. Key and shard key decide where the row goes. A generated column that the "
        "row filter or a derived column reads is named as well, in updates too: no server computes it in a test.",
    ),
    Code("SW8859", "two cases of one name", "Reports name a case by its name: give each its own."),
    Code(
        "SW8860",
        "batches that do not fit the events",
        "The sizes under `batches` must add up to the number of events.",
        "batches: [2, 1]",
    ),
    Code(
        "SW8861",
        "Spark cannot run a case",
        "The note is Spark's reason. A source value that no statement of the plan accepts stops a run too; if the "
        "values are fine, please report it.",
    ),
    Code("SW8863", "there are no spec tests", "`shardwright test` looks for tests/*.yaml in the project folder."),
    Code(
        "SW8864",
        "a key that does not fit the case's direction",
        "Rows of the shards can be given in a backward case only: in a forward one the plan makes them of the source's "
        "rows. `copied` has a meaning in a forward case only: the way back copies nothing.",
        "- name: an order changes on the shards\n  direction: backward",
    ),
    Code(
        "SW8865",
        "a backward case of a migration without a way back",
        "The notes name the columns that do not come back, and why. Until the spec says what becomes of them, "
        "`compile` writes no backward plan, and nothing can be played.",
    ),
)
