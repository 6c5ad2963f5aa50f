"""SW82xx to SW84xx: the ledgers (SW82xx), the stream (SW83xx), routed DDL (SW840x to SW842x), messages of queues
(SW843x and
SW844x), change events from queues and recorded events (SW845x to SW847x), with `run --recopy` (SW8464 to SW8466)."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code
from shardwright.specs.findings.remedies import START_OVER

RUNTIME_82_84: tuple[Code, ...] = (
    Code("SW8201", "a newer run has taken over", "Only one run writes. This one was replaced and has stopped."),
    Code(
        "SW8202",
        "another run has changed the ledger",
        "The batch is not open any more: find the other run.",
    ),
    Code(
        "SW8203",
        "nothing leads from the plan of the migration to this plan",
        "A begun migration continues with a newer plan for the same physical tables. The message names what is "
        "different: other target databases, ledgers in other databases, other numbers of tables, another parent, a new "
        "table whose changes come from a queue. Compile the spec it was started with, or give the changed spec a new "
        "migration name and empty targets.",
    ),
    Code(
        "SW8204",
        "a staged batch of another plan",
        "The decisions of the batch are on the shards, and its own plan finishes it. Run the plan that staged the "
        "batch until the batch is finished, then the newer one. A newer release may finish it by itself, where the "
        "spec is the same.",
    ),
    Code(
        "SW8205",
        "the source is another server",
        "Positions of one server mean nothing on another: point the environment back.",
    ),
    Code(
        "SW8206", "the migration has not begun", "There are no ledgers yet: `shardwright run` creates them and begins."
    ),
    Code(
        "SW8207",
        "a shard's ledger is lost",
        "Every shard keeps a ledger of what it has applied. One that is gone, or was never part of this migration, "
        "means that\n"
        f"its rows cannot be trusted either: restore the database with its ledger, or {START_OVER}.",
    ),
    Code(
        "SW8208",
        "a shard has another ledger than before",
        "Every ledger has a number of its own. Another number means another database under the same name: look at the "
        "environment's servers before anything is written.",
    ),
    Code(
        "SW8209",
        "a shard was restored from a backup",
        "The ledgers of a shard and of the first shard disagree about what was applied: one of the two was\n"
        "restored from a backup. That shard lacks the later changes. Restore all shards as of one moment, or\n"
        f"{START_OVER}.",
    ),
    Code(
        "SW8210",
        "the ledger of a begun migration is lost",
        "A shard holds what this migration wrote, but the first shard's ledger does not know the migration.\n"
        f"Restore the first shard's ledger, or {START_OVER}.",
    ),
    Code(
        "SW8211",
        "a ledger of another version",
        "The ledger's tables were made by a version of shardwright that writes them differently. Finish the migration "
        "with the version that began it.",
    ),
    Code(
        "SW8212",
        "a source is isolated",
        "One of several source servers cannot be read; the message says why. The run has read the others to their "
        "ends. Fix that server and run again: nothing of it is lost.",
    ),
    Code(
        "SW8213",
        "a source can be read again",
        "It had been isolated while the run continued with the others. The run starts again from the ledgers, with "
        "all sources.",
    ),
    Code(
        "SW8215",
        "another migration runs over the same tables",
        "Migrations may share databases: each has its own fencing token, ledger rows and locks. They may not write to "
        "the same tables at the same time, because stages and tombstones are kept beside a table. End the other run, "
        "or leave the table to one of the two.",
    ),
    Code(
        "SW8216",
        "a protected environment",
        "The environment file says `protected: true`: what writes to its servers asks at a terminal, and needs "
        "`--yes` elsewhere.",
        "shardwright run --env production --yes",
    ),
    Code(
        "SW8217",
        "the other direction is in force",
        "A cutover or a rollback has turned the migration round since this run began. A run that starts now follows "
        "the direction that is in force.",
    ),
    Code(
        "SW8218",
        "no DDL while changes go back to the source",
        "After a cutover the stream keeps the source's tables equal to the shards. DDL that only the shards have would "
        "stop it. Finish the migration, or roll it back.",
    ),
    Code(
        "SW8219",
        "the migration is finished",
        "`cutover finish` has ended it: applications write to the shards, and no run follows either side any more. "
        "`ddl apply` still routes DDL.",
    ),
    Code(
        "SW8220",
        "a newer plan leaves a table out",
        "The migration follows the table, and this plan does not have it. When that is meant, name it. Its rows stay "
        "on the shards as they are; when the table comes back into the spec, it is copied again.",
        "shardwright run --leave-out orders",
    ),
    Code(
        "SW8221",
        "a newer plan has other rows for a table",
        "The rows on the shards were written by another filter, other columns, another key or another sharding rule. "
        "Name the table: its rows are removed from the shards and copied again beside the stream. Or compile the spec "
        "as it was.",
        "shardwright run --recopy orders",
    ),
    Code(
        "SW8222",
        "a table to leave out is still in the plan",
        "`--leave-out` is for tables that the spec does not have any more. Take the table out of the spec (name it "
        "under `ignore_tables`), compile, run again.",
    ),
    Code(
        "SW8223",
        "the database of a ledger cannot be created",
        "The spec names a database for each shard's ledger, which is not there. The message has the statement, and the "
        "grant that the account lacks. Give the grant, or create the database yourself.",
    ),
    Code(
        "SW8224",
        "a new source table of parents may have rows that the stream does not have",
        "A newer plan takes one more source table, and rows of other tables are placed through its rows. Where they "
        "are is known from the log alone, so the log must have each row from the beginning on. Behind the stream's "
        "position, the first statement about the table must be a CREATE TABLE that makes it and does not fill it. A "
        "RENAME or a CREATE TABLE ... SELECT is none. Leave the table out: name it under `except` of its entry, "
        "compile, run again.",
    ),
    Code(
        "SW8225",
        "rows of another migration",
        "Target tables hold rows that another migration has written, and it has begun and is not finished. Whatever "
        "`existing_rows` says, they are not ours to keep, to remove or to empty. Finish that migration, or name other "
        "tables.",
        "shardwright cutover finish --migration shop-split --env production",
    ),
    Code(
        "SW8226",
        "what cannot be undone",
        "The command says what is lost for good, with numbers, before it acts. At a terminal it asks, in every "
        "environment; elsewhere it needs `--yes`. Nothing was done.",
        "shardwright cutover finish --env production --yes",
    ),
    Code(
        "SW8301", "a shard refused a batch", "The message repeats the server's reason. Nothing of that step was kept."
    ),
    Code(
        "SW8302",
        "a batch has reached a part of the shards",
        "The message repeats the server's error. Fix that first (a trigger, a missing privilege, a table that was "
        "changed), then run again. Nothing is lost, and the run finishes the batch.",
    ),
    Code(
        "SW8303",
        "a unique value is taken by another row",
        "A row of the stream has a unique value that belongs to a row outside the batch. The message names both. Find "
        "out who wrote the other one. Nothing is overwritten. Where several source tables make one, a row of each may "
        "have the value: the copy ends with this, too. Change one of the two at the source, or give the table's unique "
        "keys a column more (`on_key_collision: {add_column: NAME}`). On the way back both rows are read again from "
        "the shards, and other rows continue. Only a value that two rows of the shards keep is a dead letter: change "
        "one of them there. The run reads the row again once a minute.",
    ),
    Code("SW8304", "the stream has stopped", "The ledgers are consistent: running again resumes."),
    Code(
        "SW8305",
        "a server fails for a while",
        "A connection broke, a server was restarted, is full, or has become read-only. The run retries for "
        "`network.retry_for` (5 minutes), then it ends with this, unless it makes progress meanwhile. The ledgers are "
        "consistent: running again resumes. When a statement takes longer than `network.answer_timeout`, raise that.",
        "network: {answer_timeout: 5m, retry_for: 1h}",
    ),
    Code(
        "SW8306",
        "no room for temporary files",
        "Spark's shuffle and other scratch files find no space below `work_dir` of the environment (without one: in "
        "the system's folder for temporary files), or may not be written there. Free some space, or name another "
        "folder. A live run then continues by itself; otherwise run again. Nothing in these files is needed later.",
    ),
    Code(
        "SW8307",
        "a Python process of Spark's was killed",
        "Tasks run in Python processes that Spark starts. One was killed, most often by the system for lack of "
        "memory. The run retries by itself. If it makes no progress, give the machine more memory, or run fewer tasks "
        "at a time.",
        "spark: {master: 'local[2]'}   snapshot: {parallel: 2}",
    ),
    Code(
        "SW8308",
        "Spark's Java process is gone",
        "Java on the driver's machine was killed, most often by the system for lack of memory, and the run ended. The "
        "ledgers are consistent: running again resumes.",
    ),
    Code(
        "SW8309",
        "a row is in two tables of the shards",
        "On the way back a row that moves from one shard to another is read again by its key. It is in both tables for "
        "longer than a move takes, and only one of the two can go back to the source. The row is a dead letter, and "
        "other rows continue. Delete the wrong one on its shard. The run reads the row again once a minute. "
        "`dead-letters retry` asks for it at once.",
        "DELETE FROM order_db_03.users_11 WHERE id = 4711",
    ),
    Code(
        "SW8310",
        "the source is of another kind than the spec says",
        "`source.dialect` decides which SQL the plan sends to the source, and which types it has. Every command that "
        "connects to the source says when it is another. Correct the spec before the migration begins. A begun "
        "migration keeps its dialect.",
    ),
    Code(
        "SW8311",
        "the Spark master has ended the application",
        "The master's page and log say why: an operator ended it, its executors failed too often, or the master itself "
        "is gone. The message has the master's reason. The ledgers are consistent: running again resumes.",
    ),
    Code(
        "SW8312",
        "executors of the cluster are lost",
        "Spark has run the task again on other executors, and lost these, too. The message has Spark's reason. A "
        "command that exited with code 137 was killed, most often for lack of memory: give the executors more, or "
        "fewer cores. Running again resumes.",
        "spark: {conf: {spark.executor.memoryOverhead: 2g}}",
    ),
    Code(
        "SW8320",
        "a server's log is ahead of its tables",
        "A row is to be read again because of an event of the log, and no SELECT shows that event's transaction yet. "
        "It waits for a replica between log and commit (semi-synchronous replication, AFTER_SYNC). Make the replica "
        "answer, or switch the waiting off. The run tries again by itself, and running again resumes.",
        "SET GLOBAL rpl_semi_sync_master_enabled = OFF",
    ),
    Code("SW8399", "a test stopped the run", "SHARDWRIGHT_FAILPOINTS is set: unset it, run again."),
    Code("SW8401", "an applied DDL file was changed", "Put it back as it was and write the change into a new file."),
    Code(
        "SW8402",
        "an existing table differs from the plan",
        "A target table exists and differs from the plan. Rename or drop it, or generate a DDL file that changes it "
        "with `ddl new`.",
    ),
    Code("SW8403", "DDL has reached a part of the tables", "The message lists what is left; running again resumes."),
    Code("SW8404", "a target table was changed by someone else", "Put it back as it was, then run again."),
    Code("SW8405", "another run of DDL", "Wait until it ends, or end its connection with KILL, then run again."),
    Code("SW8406", "a grant is missing for DDL", "The message names the grant."),
    Code("SW8407", "a table stays locked", "Another connection holds it: end its transaction, run again."),
    Code("SW8408", "the connection broke during DDL", "Run again: the run finds what was done already."),
    Code("SW8409", "the server refused DDL", "The message repeats the server's reason."),
    Code("SW8410", "the table for a DDL change does not exist", "Create the target tables first: run again."),
    Code("SW8411", "tables are missing on some shards", "Running again creates the rest."),
    Code(
        "SW8412",
        "a target table is gone",
        f"This migration created it, and its ledger says that rows were copied into it: restore it, or {START_OVER}.",
    ),
    Code(
        "SW8413",
        "a DDL change on tables whose indexes are not built yet",
        "The spec says `defer_indexes: true`, so indexes are built once all rows are copied. A change that does more "
        "than add columns and keys of other names waits for that: run until caught up, then `shardwright ddl apply`. "
        "If the stream met the change during the snapshot, skip it (run --allow SW8114@FILE:POS). Make it with a DDL "
        "file when the indexes are built.",
    ),
    Code(
        "SW8414",
        "too many changes while an index was built",
        "While a server builds an index, it keeps the writes to the table in a log of at most "
        "innodb_online_alter_log_max_size (128 MiB unless it is set). Nothing of the index is left. Raise the limit "
        "on the named shard's server. Running again builds the index.",
        "SET GLOBAL innodb_online_alter_log_max_size = 8 * 1024 * 1024 * 1024",
    ),
    Code(
        "SW8415",
        "the server needs a heavier way for a DDL change than planned",
        "The statement asks for the algorithm and the lock of the change's class (`ddl plan`), so the server refused "
        "it and did nothing. Either the server is older than the rules, or the table has something that the rules do "
        "not know: a full-text index, a compressed row format, many instant changes before. `--allow SW8415` allows "
        "servers to do it in place. With SW8422 it also allows blocked writes, with SW8421 a copy of the table. Only "
        "tables whose server refuses the lighter way get a heavier one.",
    ),
    Code("SW8420", "a DDL change that loses data", "Look at what it drops; the message names the flag that allows it."),
    Code(
        "SW8421",
        "a DDL change that copies tables",
        "The server copies each physical table to change it. That takes time and disk space, and writes to the table, "
        "also those of the stream, are blocked meanwhile (not from MariaDB 11.2 on). Look at `ddl plan`; `--allow "
        "SW8421` allows it. Where you know that the server has a lighter way (a longer VARCHAR), write "
        "ALGORITHM=INPLACE into the file: the server refuses if you are wrong.",
    ),
    Code(
        "SW8422",
        "a DDL change that blocks writes",
        "The server builds this in place, and blocks writes to the table meanwhile. Look at `ddl plan`; `--allow "
        "SW8422` allows it.",
    ),
    Code(
        "SW8431",
        "a message that is no JSON",
        "It is truncated, not UTF-8, nested too deeply, or has one key twice in an object. The message names its "
        "place in the queue.",
    ),
    Code(
        "SW8432",
        "a message that the format does not have",
        "It is JSON, but not in the stream's format. Check that `source.stream.format` in the spec is right, and that "
        "nothing else writes to the topic.",
    ),
    Code(
        "SW8433",
        "a message with a part of a row",
        "Columns are missing, and guessing them would lose data. Set binlog_row_image=FULL for the source and all its "
        "sessions, have\n"
        f"the producer write all columns and NULLs, then {START_OVER}.",
    ),
    Code(
        "SW8434",
        "the table in a message is not the one in the schema file",
        "It has another column, or a name of other letter case. Import the schema as it was at that message, compile, "
        "resume.",
    ),
    Code(
        "SW8435",
        "a value in a message that cannot be taken exactly",
        "The column's type cannot hold it, or the producer changed it. The message names table, column and value.",
    ),
    Code(
        "SW8436",
        "a column that the messages cannot carry",
        "The format, or the mode of the producer, changes values of this type and no reader can restore them, or an "
        "option under `source.stream` is needed to read them. The message says which.",
    ),
    Code(
        "SW8437",
        "a value with two meanings",
        "The producer writes the same for different values: NULL, or 1970-01-01, for a zero date; a column's default "
        "for NULL. The message names the option that states which of them the source does not have.",
    ),
    Code(
        "SW8438",
        "a statement instead of rows, in a message",
        f"Set binlog_format=ROW for all sessions of the source, then {START_OVER}.",
    ),
    Code(
        "SW8440",
        "--drift and --env of ddl plan go together",
        "Name the environment whose tables are compared: `ddl plan --drift --env NAME`.",
    ),
    Code(
        "SW8441",
        "the tool for online changes is missing",
        "`ddl apply --online` hands changes that copy tables to pt-online-schema-change or gh-ost, and that is not "
        "installed where it runs, or is too old. Nothing was done. Install it, name the other one, or apply without "
        "--online.",
    ),
    Code(
        "SW8442",
        "a change that a tool for online changes cannot do",
        "Both tools refuse, or lose rows with, triggers of your own, foreign keys, renamed columns, new unique keys "
        "and a changed primary key; on MySQL the copy cannot have the table's checks. Nothing was done. Apply without "
        "--online, or split the statement.",
    ),
    Code(
        "SW8443",
        "leftovers of a tool for online changes",
        "pt-online-schema-change or gh-ost was killed and left its tables or triggers beside a physical table, or one "
        "of them is running now. The message names them and the statements that remove them. Make sure that none is "
        "running, then run again with --remove-leftovers.",
    ),
    Code(
        "SW8444",
        "a tool for online changes failed",
        "The message has the end of what it said and the file with all of it. The physical table is as before, unless "
        "the tool says that it swapped the tables: the live table decides when you run again.",
    ),
    Code("SW8445", "--remove-leftovers without --online", "Leftovers are those of the tools that --online names."),
    Code(
        "SW8446",
        "tables that differ among themselves",
        "`ddl new` writes one statement for all tables. Fix the drift first: `ddl plan --drift` has a statement for "
        "each table that differs.",
    ),
    Code(
        "SW8447",
        "changes that are not applied yet",
        "Apply the existing DDL files first. `ddl new` then looks for the rest.",
    ),
    Code("SW8448", "no folder for DDL files", "Add `ddl: ddl/` to the spec and make that folder."),
    Code("SW8449", "a file's name", "Small letters, digits and _."),
    Code("SW8451", "Kafka does not answer", "Look at bootstrap, network and account; running again resumes."),
    Code("SW8452", "a topic does not exist", "Look at `topics` or `topics_pattern` in the environment's `stream`."),
    Code(
        "SW8453",
        "changes of one row in several partitions",
        "Partitions have no common order. Messages that hold their place in the source's log are ordered by it: those "
        "of Debezium, and of Maxwell with output_binlog_position and output_xoffset. Others must come with all "
        "changes of a row in one partition: chosen by the primary key, by the table, or one partition for all. "
        "Nothing of the batch was applied.",
    ),
    Code(
        "SW8454",
        "Spark has no Kafka connector",
        "Spark fetches it as a package unless spark.conf names jars itself. Where it cannot be fetched, put the jars "
        "of spark-sql-kafka-0-10, spark-token-provider-kafka-0-10, kafka-clients and commons-pool2 under spark.jars.",
        "spark:\n  conf: {spark.jars: '/opt/jars/spark-sql-kafka.jar,/opt/jars/kafka-clients.jar'}",
    ),
    Code(
        "SW8455",
        "the queue does not hold what was not read",
        "Messages were deleted before they were read (retention), or the topic was created again. The message\n"
        "names the gap. No setting makes the stream skip it: continue from the source's log, or\n"
        f"{START_OVER}.",
        "stream:\n  binlog: {instead_of_queue: true}",
    ),
    Code(
        "SW8456",
        "the messages come from another log",
        "Places in two logs have no order. The producer was switched to another server, or the server's log was reset.",
    ),
    Code(
        "SW8457",
        "a change of a followed table's definition, in a message",
        "Everything before it in its partition is applied, nothing behind it. The policies of `source.stream` decide, "
        "as with the binary log: `ddl: stop | apply`, `ignore_ddl`. By hand: make the change on the targets. Skip "
        "this one message (`run --allow SW8457@TOPIC/PARTITION:OFFSET`). Then change the schema file, compile, run.",
    ),
    Code(
        "SW8458",
        "messages with and without their place in the log",
        "Within one batch some messages hold their place in the source's log and others do not, so they have no "
        "common order. Set the producer's options to the same values for all messages.",
    ),
    Code(
        "SW8459",
        "jars of another content",
        "Where spark.conf names no jars, Spark fetches the queue's connector as a package. The tool compares the "
        "SHA-256 of each jar with the one that this version was made with. A jar was changed on the way, or a "
        "repository has other versions. Where that is meant, name the files yourself.",
        "spark:\n  conf: {spark.jars: '/opt/jars/spark-sql-kafka.jar,/opt/jars/kafka-clients.jar'}",
    ),
    Code(
        "SW8460",
        "the log cannot replace the lost queue",
        "The source's log must reach back `failover.margin` (60 s unless set) before the last change that was "
        "applied.\n"
        f"If it does not, {START_OVER}.",
    ),
    Code(
        "SW8461",
        "a folder of recorded events cannot be read on",
        "Files may grow and new ones may come, with names behind those that are there; a line is one message. The "
        "message names the folder and the line.",
    ),
    Code(
        "SW8462",
        "a message that cannot be skipped",
        "run --allow CODE@TOPIC/PARTITION:OFFSET skips one message that stops the stream by that code: as the run has "
        "printed it.",
    ),
    Code(
        "SW8463",
        "a topic that is compacted",
        "Compaction keeps the last message of a key: deletes and moves in between are gone before they are read. A "
        "topic of changes has cleanup.policy=delete.",
    ),
    Code(
        "SW8464",
        "a table that cannot be copied again, because it never was",
        "`--recopy` takes logical tables of the plan of which chunks were copied. The message names those that there "
        "are.",
        "shardwright run --recopy orders",
    ),
    Code(
        "SW8465",
        "a table that cannot be copied again by itself",
        "Its rows are removed from the shards first. That would also remove what does not come from the source "
        "(columns and rows that others write, rows behind a foreign key). The message says which.",
    ),
    Code(
        "SW8466",
        "a table cannot be copied again now",
        "A source of the migration cannot be read. Nothing was removed: run again later.",
    ),
    Code(
        "SW8480", "a topic of RocketMQ that does not exist", "Look at the topic's name and the name servers' addresses."
    ),
    Code(
        "SW8481",
        "RocketMQ does not answer",
        "Look at name servers, brokers, keys and the network; running again resumes.",
    ),
    Code(
        "SW8482",
        "RocketMQ's Java client is not there",
        "RocketMQ is read by Apache's own Java client: put org.apache.rocketmq:rocketmq-client and what it needs on "
        "the class path.",
    ),
    Code(
        "SW8483",
        "a retry queue in place of a topic",
        "%RETRY% and %DLQ% hold the messages that a consumer group could not handle, out of order. The topic itself "
        "holds every message.",
    ),
    Code(
        "SW8484",
        "messages of RocketMQ that are gone",
        "A queue no longer holds what the stream has not read: it was deleted by age, or the topic was created\n"
        f"again. The lost changes are not known: {START_OVER}.",
    ),
    Code(
        "SW8485",
        "a row of a target does not fit the source's new columns",
        "The source's table got a narrower type or NOT NULL, and the source's rows fit. The row of the target that "
        "does not is one that the source has no more (`deletes: ignore` keeps such rows), or another writer made it. "
        "The message names the table and the column. Correct or delete the row there, then run again: the run "
        "continues with the tables that lack the change.",
    ),
    Code(
        "SW8486",
        "a row without a key is not there to be deleted",
        "Rows of a table that goes by `key: all_columns` are found by all of their values. The source has deleted or "
        "updated a row that the shard should have, and no row there is equal to it. Another session has changed the "
        "table on the shard. Nothing of the sub-step has taken effect. Insert the row that the message names by hand, "
        "then run again.",
    ),
    Code(
        "SW8487",
        "changes of rows without a key would count twice",
        "The source has another server, and its log does not say exactly which changes were applied. Other tables are "
        "read again from an earlier place, because the same change may be applied twice there. Rows of tables that go "
        "by `key: all_columns` are counted. The same holds while the stream is before the place where such a table was "
        f"read. Point the environment back to the old server, or {START_OVER}.",
    ),
    Code(
        "SW8496",
        "the source has purged a log file before the run has read it",
        "The run looks at once whether anything in the file was not applied yet. Where nothing was, it continues in "
        "the next file. Where something was, it ends with SW8133, which names the gap. Keep log files longer "
        "(binlog_expire_logs_seconds, expire_logs_days).",
    ),
    Code(
        "SW8497",
        "the source's log would be gone before the stream reads it",
        "Tables without a key, and the parents of families, are read before the stream begins. The log must still have "
        "the start position then. By the rows that the source gives a second, and by the time in which it fills a log "
        "file, it would not: keep log files longer for the time of the copy (binlog_expire_logs_seconds). Nothing was "
        "written.",
    ),
    Code(
        "SW8499",
        "a key over an expression that the shards cannot have as the source has it",
        "MariaDB has no keys over expressions (`UNIQUE ((lower(email)))`): use MySQL servers as targets. And a CAST to "
        "text takes the collation of the session in which the key is made, which SHOW CREATE TABLE does not name. "
        "Where that was another one than the text says, the shards would compare otherwise: drop the key at the source "
        "and add it with COLLATE in its expression, import, compile. Or take the key out of the schema file's CREATE "
        "TABLE and compile: the shards go without it. A file in `ddl/` can add a generated column, with a key over it.",
    ),
)
