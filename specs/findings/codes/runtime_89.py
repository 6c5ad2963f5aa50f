"""SW89xx: cutover. SW890x is about fences and hooks."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code

RUNTIME_89: tuple[Code, ...] = (
    Code(
        "SW8901",
        "a fence cannot be set",
        "A setting of the server, or an account of the environment, stops us from stopping users' writes. The message "
        "says which one and how it is changed. Nothing was changed. docs/fences.md compares the fences.",
    ),
    Code(
        "SW8902",
        "a fence that would not stop all writes",
        "Something would change the migration's tables in spite of the fence. It is a cascade from a table that has "
        "no fence, a connected account that passes, or an account that cannot be distinguished from another one. "
        "Remove it, or use another fence (docs/fences.md).",
    ),
    Code(
        "SW8903",
        "users' transactions do not end",
        "The fence is complete only when no transaction is open that could still write. A prepared transaction (XA) "
        "belongs to no connection, so it cannot be killed: `XA RECOVER` lists it, and `XA ROLLBACK` or `XA COMMIT` "
        "ends it. A lock of our own account, of a backup or of LOCK TABLES ends with its connection. Run again then.",
    ),
    Code(
        "SW8904",
        "a fence's record is of another fence",
        "A fence is lifted as it was set. Give the environment file the fence, the addresses and the accounts again "
        "that it had when the fence was set, then run again.",
    ),
    Code(
        "SW8905",
        "a fence could not be set or lifted",
        "The message repeats what the server or the hook answers. Fix that, then run again: setting and lifting can be "
        "repeated.",
    ),
    Code(
        "SW8906",
        "a hook failed",
        "The program or the address that the environment names failed three times, or took longer than its `timeout`. "
        "The message has its exit code or status and the last line that it wrote. Fix the hook, then run again.",
    ),
    Code(
        "SW8911",
        "another command works on the cutover",
        "One command at a time works with the state of a cutover. Its lock ends with its process. A command that is "
        "stopped with Ctrl-C opens what it has closed.",
    ),
    Code(
        "SW8912",
        "the cutover was changed meanwhile",
        "Another command has entered a state since this one read it, perhaps after a long freeze of this process. "
        "Nothing was overwritten. Ask `cutover status`, then repeat the command.",
    ),
    Code(
        "SW8913",
        "writers have waited too long",
        "From the fence to the switch more time has passed than `--max-pause` (or `cutover.max_pause` of the "
        "environment) allows. The fence was lifted and the stream continues, so nothing is lost. The log lines say "
        "which step took long.",
        "shardwright cutover --rehearse --env production",
    ),
    Code(
        "SW8914",
        "a client writes behind the fence",
        "After the fence was set and everything before it was applied, the log still brought changes of the "
        "migration's tables. Some client passes the fence: an account with administrator's rights, one that is not "
        "on the list. The fence was lifted, and the changes are on the other side, too.",
    ),
    Code(
        "SW8915",
        "this does not go with the state of the cutover",
        "`cutover status` shows the state. Before the switch, `abort` opens the side that is closed; behind it only "
        "`rollback` leads back; `finish` and `unfence` come last.",
    ),
    Code(
        "SW8916",
        "an open batch in the direction that is to begin again",
        "A direction ends only with no batch open, so this should not happen. The old side stays open for writes.",
    ),
    Code(
        "SW8917",
        "the stream is not ready for a cutover",
        "A run has to follow the direction in force (`shardwright run --until forever`), with everything copied, not "
        "paused, and with no DDL that keeps it out of a table.",
    ),
    Code(
        "SW8918",
        "the stream lags too much",
        "A cutover waits within the pause until the stream has applied everything, so the lag is part of the pause. "
        "`cutover.max_lag` of the environment is the most that is allowed.",
    ),
    Code(
        "SW8919",
        "dead letters",
        "Rows in quarantine are not equal on both sides. Answer them first.",
        "shardwright dead-letters list --env production",
    ),
    Code(
        "SW8920",
        "a marker has not come through the queue",
        "A cutover writes rows into table `_shardwright_marker` of the source. When the stream reads them from the "
        "queue, it has everything that was committed before. So the producer has to send that table, into a topic that "
        "the environment names.",
    ),
    Code(
        "SW8921",
        "no fence is named",
        "`cutover.fence` of the environment file says how users' writes are stopped: for `source` in a cutover, for "
        "`shards` in a rollback.",
    ),
    Code(
        "SW8922",
        "there is no way back",
        "A cutover needs a way back for every column: lossless, kept, or one that the spec gives up with `one_way`. "
        "Rows of tables that go by `key: all_columns` have none: a row needs a key to find its own at the source.",
    ),
    Code(
        "SW8923",
        "tables of the shards differ",
        "Applications would find other columns or indexes on some shards. `ddl plan --drift` prints the statements "
        "that correct them.",
        "shardwright ddl plan --drift --env production",
    ),
    Code(
        "SW8924",
        "no whole verify to start from",
        "A cutover proves that both sides are equal from a whole `verify` on: what has changed since then is compared "
        "again. The message says why there is none that counts.",
        "shardwright verify --env production",
    ),
    Code(
        "SW8925",
        "both sides are not equal",
        "The final comparison found rows that differ, or could not compare some. Nothing was switched, and the old "
        "side takes writes again. The rows are named: `repair` restores them.",
    ),
    Code(
        "SW8926",
        "the source still gets writes",
        "Since the cutover a client has written to the migration's tables at the source, behind the fence. These "
        "writes are not on the shards. Find the client; `verify` names the rows. Then finish again: the message "
        "names only what is new.",
    ),
    Code(
        "SW8927",
        "the next numbers cannot be set",
        "`ids` of the spec names counters that a cutover sets behind all numbers that either side has used. The "
        "message names the counter: its table, a column or a unique key is missing, or our account may not write it. "
        "Nothing was changed.",
        "GRANT SELECT, INSERT, UPDATE ON `order_db_0`.`id_segment` TO 'shardwright'@'%'",
    ),
    Code(
        "SW8928",
        "the next numbers were not set",
        "A server refused to set a counter that `ids` of the spec names, or it gives a smaller number still. The "
        "fence was lifted and nothing was switched. The message repeats what the server says.",
    ),
    Code(
        "SW8929",
        "a trigger of the source could not be dropped or created again",
        "With `backward: {triggers: drop}`, a cutover drops the triggers of the source's tables. A rollback or an "
        "abort creates them again before the source takes writes. The message repeats what the server says. The "
        "definitions are in the ledger beside the source: `cutover status --format json` prints them. Fix the cause "
        "and repeat the command.",
    ),
    Code(
        "SW8930",
        "an earlier migration works on the source",
        "The source of this migration are the shards of an earlier one, which is not finished. Two ways back on the "
        "same tables would feed each other, and a run of the earlier one writes behind this one's fence. Finish the "
        "earlier migration, or end its run.",
        "shardwright cutover finish --migration shop-split --env production",
    ),
    Code(
        "SW8931",
        "what the ledger has of a trigger of the source is not that trigger",
        "A rollback or an abort creates the triggers again that the cutover has dropped, from "
        "`_shardwright_dropped_trigger` in the ledger beside the source. It executes a statement only where that is "
        "one CREATE TRIGGER of the recorded name, table and definer. Another account has written to that table. "
        "Correct the row, or delete it and create the trigger by hand before the application writes, and repeat the "
        "command.",
    ),
    Code(
        "SW8940",
        "the next number does not fit its column",
        "Behind the largest number that a row has, and the `margin` of `ids`, the column or its counter has no room: "
        "every INSERT after the switch would fail. The message has the largest number, the margin and where the type "
        "ends. No counter was set. Give the column a larger type on both sides, or take a smaller margin.",
        "ALTER TABLE coupons MODIFY id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT",
    ),
    Code(
        "SW8941",
        "a segment holds no number",
        "A segment table that `ids` names has NULL for the next number, or a column that holds no whole numbers. Or it "
        "has no row of that name, although applications take numbers there now. A guess could give a number twice. "
        "Nothing was changed.",
        "UPDATE id_segment SET next_id = 5001 WHERE name = 'users'",
    ),
    Code(
        "SW8942",
        "no rollback would be possible",
        "After the switch a rollback has to stop the writers of the shards, and to set the next numbers of the source. "
        "The message says what is missing for that: a fence in the environment, a privilege or a setting. Correct it "
        "before the switch, or give the rollback up.",
        "shardwright cutover --env production --no-rollback",
    ),
    Code(
        "SW8943",
        "rows come from another server",
        "A server that is to be fenced is a replica, or was one and may start again. It applies the rows that others "
        "write on the server it reads from, and no fence stops these. Cut over at that server, or end the "
        "replication. An operator may answer for it when no client writes the migration's tables there.",
        "shardwright cutover --env production --allow SW8943",
    ),
    Code(
        "SW8944",
        "an event may write behind the fence",
        "The event scheduler of a server is on, and an enabled event changes tables of the migration or calls a "
        "routine. Only the fence `triggers` stops events. Disable the event, or answer for it.",
        "ALTER EVENT shop.purge DISABLE",
    ),
    Code(
        "SW8945",
        "another migration's way back writes there",
        "Another migration was cut over from the same tables, and its way back writes to them. Its account is ours, "
        "which passes the fence. Roll that migration back, or finish it.",
        "shardwright cutover finish --migration shop-split --env production",
    ),
)
