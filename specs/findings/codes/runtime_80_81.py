"""SW80xx and SW81xx: plans and the command line (SW80xx); connections (SW810x), the binary log (SW811x), checks before
a run and
at a failover (SW812x to SW814x)."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code
from shardwright.specs.findings.remedies import IMPORT_AGAIN, START_OVER

RUNTIME_80_81: tuple[Code, ...] = (
    Code("SW8001", "there is no plan", "`shardwright compile` writes the plan that `run` executes."),
    Code("SW8002", "the plan was edited", "What runs is what was reviewed: change the spec and compile again."),
    Code("SW8003", "the plan cannot be read", "It is damaged or of another version of the tool: compile again."),
    Code(
        "SW8004",
        "Spark is not installed",
        "Compiling needs no Spark, running does. Install the package's extra 'runtime'.",
        'pip install "shardwright[runtime]"',
    ),
    Code("SW8005", "there is no project here", "Name the folder that holds specs/ with --project."),
    Code("SW8006", "which plan is not certain", "Compile first, or choose one of several migrations with --migration."),
    Code("SW8007", "a value that an option does not take", "The message lists what it takes."),
    Code("SW8008", "there is no such code", "Codes are 'SW' and four digits, such as SW1101."),
    Code(
        "SW8009",
        "no archive of Spark's classes",
        "`spark-cache` could not make one. It is optional: without it, commands that use Spark start more slowly.",
    ),
    Code(
        "SW8010",
        "a plan that is older than its files",
        "Specs, schema file or DDL files were changed since `compile`. A command uses the plan as it was compiled, "
        "and says so. In an environment with `protected: true` it does nothing. Compile, look at the difference, and "
        "run the command again.",
        "shardwright compile && shardwright diff",
    ),
    Code(
        "SW8011",
        "no Java",
        "Spark runs in Java, 17 or newer, and starts the one in JAVA_HOME, or else the first on the PATH. There is "
        "none, or it ended at once: it is older, or does not take the options of `spark.conf`, or Spark could not "
        "fetch the packages named there. The message has what Java said last.",
        "apt-get install openjdk-17-jre-headless",
    ),
    Code(
        "SW8012",
        "a statement of a seed script failed",
        "The sandbox runs the scripts on its source, with foreign keys unchecked, so that tables may come in any "
        "order. The server refused a statement, and the sandbox stopped its servers. Fix the script, then start the "
        "sandbox again.",
    ),
    Code(
        "SW8013",
        "not a file or folder of the project",
        "A link leads out of the project where one of its own files or folders is read or written (specs, tests, "
        "build, environments, the lock, the schema file), or build/NAME holds no plan. Nothing was read, written or "
        "removed there. Put the file or folder itself in the link's place. To keep plans elsewhere, name that folder "
        "with --output.",
    ),
    Code(
        "SW8014",
        "the plan is not the one in the lock",
        "What runs is what was reviewed: the plan in build/ must be the one that the project's shardwright.lock "
        "names. Compile, look at the difference, and commit the lock.",
        "shardwright compile && git diff shardwright.lock && git commit shardwright.lock",
    ),
    Code("SW8051", "a report cannot be written", "The folder may not be written to, or the path is a folder itself."),
    Code(
        "SW8052",
        "a file is there already",
        "`init` overwrites nothing: choose an empty folder, or move the files away.",
    ),
    Code(
        "SW8053",
        "a file cannot be written",
        "The folder may not be written to, or there is a file in place of a folder.",
    ),
    Code(
        "SW8054",
        "no folder for scratch files",
        "Spark, Java and Python's workers write scratch files into one private folder below `work_dir` of the "
        "environment, or below the system's folder for temporary files. Name one that this account may write.",
        "work_dir: /var/tmp/shardwright",
    ),
    Code("SW8101", "a server cannot be reached", "Look at host, port and network; running again resumes."),
    Code("SW8102", "a server denies access", "Look at the user, the password's reference and the documented grants."),
    Code(
        "SW8103",
        "a target database does not exist",
        "Databases are created by you, tables by us. Create it, run again.",
    ),
    Code(
        "SW8104",
        "a server asks for a file",
        "A MySQL server may answer any statement by asking the client for a file. Nothing was sent. No server does "
        "this by itself. Find out what answers at that address, and use TLS with verify_identity.",
    ),
    Code(
        "SW8105",
        "a connection is not protected as asked",
        "With tls: verify_ca or verify_identity, the server's certificate must be signed by the authority in `ca` "
        "(without it: by one that the machine trusts). With verify_identity it must also carry the host's name. There "
        "is no fallback to plain text, and no password is sent. Check `ca`, the host's name in the certificate, and "
        "what answers at that address. An unverified server gets no password in clear text (mysql_clear_password, "
        "dialog, PAM, LDAP) and none in the form of MySQL before 4.1. It gets none encrypted with a key of its own "
        "either (caching_sha2_password without TLS).",
        "source: {host: db1.internal, tls: verify_identity, ca: /etc/ssl/shop-ca.pem, ...}",
    ),
    Code(
        "SW8106",
        "a way to log in that needs a Python package",
        "MariaDB's ed25519 needs the package PyNaCl.",
        "pip install 'PyMySQL[ed25519]'",
    ),
    Code(
        "SW8107",
        "the Spark cluster gives no executors",
        "The master answered, but no executor started. No worker is up, or none has the cores and the memory that an "
        "executor asks for (spark.executor.cores, spark.executor.memory), or executors cannot reach the driver "
        "(spark.driver.host). The master's page says which; docs/cluster.md says what to set.",
    ),
    Code(
        "SW8110",
        "the log cannot be read from there",
        "The stream cannot resume from this position: it was purged, is of another log, or is inside a\n"
        "transaction. What happened since then is not known:\n"
        f"{START_OVER}.",
    ),
    Code(
        "SW8111",
        "a partial row image",
        "The log holds only a part of a row; the rest would have to be guessed. Set binlog_row_image=FULL for the "
        "server\n"
        f"and all sessions, then {START_OVER}.",
    ),
    Code(
        "SW8112",
        "a statement instead of rows",
        f"Set binlog_format=ROW for all sessions, then {START_OVER}.",
    ),
    Code(
        "SW8113",
        "the table in the log is not the one in the schema file",
        f"It was changed since the import, or without the log (`sql_log_bin = 0`). What to do:\n{IMPORT_AGAIN}.",
    ),
    Code(
        "SW8114",
        "DDL on a followed table",
        "Everything before it is applied. Make the same change on the targets by hand. Then skip the statement (`run "
        "--allow SW8114@FILE:POS`). If the columns differ now, change the schema file after that, compile, run.",
    ),
    Code(
        "SW8115",
        "an event or value that cannot be read",
        "It is of an unknown kind, of an unknown type, or compressed in a form that is not known; the message says\n"
        f"which. The run cannot skip what it cannot read: {START_OVER}.",
    ),
    Code(
        "SW8116",
        "the log is damaged",
        "A checksum or a length is wrong, or an event is not as any server writes it: look at the server's disk and "
        "network.\n"
        f"Running again reads the event again; where the file itself is damaged, {START_OVER}.",
    ),
    Code("SW8117", "the log's server does not answer", "Look at the server and the network; running again resumes."),
    Code(
        "SW8118",
        "rows that are rolled back, or that the log no longer has",
        "A transaction rolls back rows that are in the log already, or the log no longer has the rows of an XA\n"
        "transaction that commits now. Keep such transactions off the tables of a migration, and keep log files until\n"
        f"the XA transactions in them have ended. Then {START_OVER}.",
    ),
    Code("SW8121", "the source writes no binary log", "Start it with log_bin and binlog_format=ROW."),
    Code("SW8122", "the source does not log rows", "Set binlog_format=ROW and reconnect the applications."),
    Code(
        "SW8123",
        "the source does not log whole rows",
        "Set binlog_row_image=FULL and binlog_row_value_options='', and reconnect the applications.",
    ),
    Code("SW8125", "a grant is missing", "The message holds the GRANT statement."),
    Code("SW8126", "a source table does not exist", "Import the schema again and compile."),
    Code(
        "SW8127",
        "a source table cannot be followed",
        "It is a view, or keeps its rows' history (system versioning): the message says which.",
    ),
    Code(
        "SW8128",
        "a source table differs from the plan",
        "The message names the column, with both types, or the key. Import the schema, review its difference, and "
        "compile.",
    ),
    Code(
        "SW8129",
        "one key in several source tables",
        "Rows of two source tables would become one row: give one of them another key at the source, or leave one of "
        "the tables out of the spec.",
    ),
    Code(
        "SW8130",
        "the target holds rows already",
        "A new migration begins with empty tables: empty the named one first, or say in the spec what becomes of its "
        "rows: `existing_rows: keep` or `replace`.",
    ),
    Code(
        "SW8131",
        "a set of GTIDs cannot be read",
        "The server gave a form that this version does not know: report the server's version.",
    ),
    Code(
        "SW8132",
        "the source's log was reset",
        "The file has the recorded name but other content: RESET MASTER, or a restored backup. What changed in between "
        "is\n"
        f"not in the log: {START_OVER}.",
    ),
    Code(
        "SW8133",
        "the source has purged log files that are still needed",
        "The message names the gap. Point the environment at a server that still has these transactions, else\n"
        f"{START_OVER}; keep log files longer (binlog_expire_logs_seconds, expire_logs_days).",
    ),
    Code(
        "SW8134",
        "the other server lacks transactions that were applied",
        "It lags, or they were lost with the old server. If it lags, wait until it has caught up and run again.\n"
        "If they are lost, the run reads again, by key, the rows that they changed, as far as the keys are known\n"
        "(`failover` in the environment). For a server that takes writes, that holds within the margin, once the\n"
        "snapshot is complete. The message says why it was not done here. Then the targets hold changes that the\n"
        "source does not have. The command of the message continues without them; compare and repair afterwards.\n"
        f"Without GTIDs there is no place to continue at: {START_OVER}.",
        "shardwright run --allow SW8134",
    ),
    Code(
        "SW8135",
        "another server answers for the source",
        "Running again looks for the same place in the new server's log and continues there.",
    ),
    Code(
        "SW8136",
        "no place in the other server's log can be proved",
        "Neither GTIDs nor commit times show which place in its log matches the old one. Switch GTIDs on, point\n"
        f"the environment back at the old server, or {START_OVER}.",
    ),
    Code(
        "SW8137",
        "a table changed where lost rows are to be read again",
        "Between the last common place and now, the new server's log holds DDL on a followed table. Rows before\n"
        f"and after it cannot be one batch: {START_OVER}.",
    ),
    Code(
        "SW8141",
        "a trigger on a target table",
        "Triggers act on every row that a run writes, as if the applications had written it, and change what it "
        "wrote. Drop them until cut-over. When one is meant to act already, say so at every run.",
        "shardwright run --allow SW8141",
    ),
    Code(
        "SW8142",
        "a foreign key on a target table",
        "A run writes rows in the order of weights, so a child row may be written before its parent. A foreign key "
        "would refuse it or, with CASCADE, delete rows without a trace in the ledgers. Drop it until cut-over.",
        "shardwright run --allow SW8142",
    ),
    Code(
        "SW8143",
        "a value is larger than a server's packets",
        "Servers compute no value longer than max_allowed_packet, and bytes are sent as hexadecimal text of twice "
        "their length. Raise the variable on the server that the message names. It applies to new connections.",
        "SET GLOBAL max_allowed_packet = 1073741824",
    ),
    Code(
        "SW8144",
        "the source leaves changes out of its log",
        "Its own settings cause that: a filter of databases, or a replica that does not log what it applies. The "
        "stream would never see those changes. Sessions that switch their log off (sql_log_bin) cannot be detected in "
        "advance: `verify` finds what they change.",
    ),
    Code(
        "SW8145",
        "a target takes no LOAD DATA LOCAL",
        "Rows come to the targets by LOAD DATA LOCAL, from memory: no file is read, and the server can ask for none.",
        "SET GLOBAL local_infile = ON",
    ),
    Code(
        "SW8146",
        "a target does not know a collation",
        "Servers of two kinds, or of two versions, know different collations, and one that sorts or compares "
        "otherwise would change which keys are equal. Use a server that knows it, or convert the source's column to "
        "one that both know.",
    ),
    Code(
        "SW8147",
        "rows of a protected environment would be removed",
        "The spec says `existing_rows: replace` for a table that holds rows on the targets, and the environment is "
        "`protected`. Find out whose rows they are. When they are not needed, allow it at the run that begins the "
        "migration.",
        "shardwright run --allow SW8147",
    ),
    Code(
        "SW8148",
        "a replica that chunks are read from cannot be followed",
        "Chunks are read from a replica under `snapshot.read_from` only when it has all that its source had when the "
        "copy began. The tool checks that by GTIDs. Switch them on at both servers, or leave `read_from` out.",
        "SET PERSIST gtid_mode = ON",
    ),
    Code(
        "SW8149",
        "the commit latency of a source is unknown",
        "The environment has `throttle.source_commit_latency`. The tool writes nothing to a source, so it reads the "
        "server's performance_schema, which is off by default in MariaDB. Switch it on (a restart), or leave the "
        "setting out.",
        "performance_schema = ON   # under [mysqld]",
    ),
    Code(
        "SW8150",
        "a session variable does not stay as it was set",
        "Each connection sets variables that decide what its statements mean, and reads them back. A limit that an "
        "administrator has set for all sessions would otherwise truncate chunks without an error. Something between "
        "this machine and the server, such as a proxy, does not pass SET on.",
    ),
    Code(
        "SW8151",
        "a server refuses a statement",
        "The message repeats the server's error: too little memory for a sort, a limit, a setting. Fix that at the "
        "server, then run again: nothing is lost. When nothing at the server explains it, report it with the trace "
        "that `--debug` prints.",
    ),
    Code(
        "SW8152",
        "a server sends a packet without end",
        "The packet is larger than max_allowed_packet can be (1 GiB). A database server does not do that. Check which "
        "server answers at that address, and which proxy or device is in between. Nothing of the packet was used.",
    ),
    Code(
        "SW8153",
        "a MariaDB target for MySQL's JSON",
        "MariaDB has no JSON type: the word means a text there, and a text keeps the spelling that it gets. Use MySQL "
        "servers as targets, exclude the column, or cast it to longtext (`cast: {doc: {type: longtext}}`): then the "
        "target has the text that MySQL prints.",
    ),
    Code(
        "SW8154",
        "a target server without a column's type",
        "Only MariaDB has UUID (from 10.7 on), INET6 (10.5) and INET4 (10.10); VECTOR is that of MySQL 9. Use servers "
        "of the source's kind and version as targets. Or cast the column, if it is no key: `cast: {token: {type: "
        "varchar(36)}}` for a UUID, varchar(39) for an address, varbinary or a blob for a vector.",
    ),
    Code(
        "SW8155",
        "IF EXISTS in the stream, and it is not certain whether it did anything",
        "Whether ADD COLUMN IF NOT EXISTS and the like changed the source's table follows from the columns that the "
        "plan knows, and of indexes from those that each target table has. Here another clause of the same statement "
        "names the same column or index, or a DDL file of the targets is about an index of that name. Look at the "
        "source's table, make the same change on the targets by hand where it is needed, and skip the statement with "
        "the command of the message.",
    ),
    Code(
        "SW8156",
        "a CONVERT TO CHARACTER SET that is not carried to the targets",
        "`ddl: apply` carries CONVERT TO CHARACTER SET, alone in its statement, to ascii, latin1, utf8mb3 or utf8mb4, "
        "where every text stays what it is and no key, filter or computed column reads one that changes. Otherwise "
        "convert the targets by hand, skip the statement with the command of the message, change the schema file, "
        "compile, run.",
    ),
    Code(
        "SW8157",
        "a new source table that a pattern of the spec means",
        "The source has made a table, or renamed one, and its name is one that an entry with a pattern means. The "
        "plan does not know the table, so its rows would be on no target. The stream stops before it under every "
        "policy. Put its CREATE TABLE into the schema file. To leave the table out, name it under `except` of that "
        "entry, compile, run again. To take it, raise the entry's `expect`, compile, run again: the run copies it "
        "beside the stream. For tables that come and go, a pattern under `ignore_tables` says that they stay, and a "
        "pattern of `ignore_ddl` lets each statement pass.",
    ),
    Code(
        "SW8166",
        "the other server lacks transactions of which it is not known what they changed",
        "The stream remembers, by origin, which transactions changed followed tables. Those that changed none do not "
        "matter: a heartbeat, or what a server wrote for itself. Of these transactions it does not know: they were "
        "there before the migration began, or before the run kept track, or chunks were read behind them.\n"
        "If they can only be such, the command of the message continues without them, once. `verify` proves it.",
        "shardwright run --allow SW8166 && shardwright verify",
    ),
    Code(
        "SW8170",
        "others hold up the lock that proves the start position",
        "Where GTIDs do not prove it, the followed tables are locked for a moment (LOCK TABLES ... READ), or the whole "
        "server (FLUSH TABLES WITH READ LOCK). A statement or transaction of others is in the way. Each try waits "
        "at most 1.5 s, because writers wait behind it. The run tries again by itself. The message names the "
        "connections: end them, or wait. No lock is needed with gtid_mode = ON and without XA transactions.",
    ),
    Code(
        "SW8171",
        "a target server that takes no table without a primary key",
        "The spec follows a table by `key: all_columns`, and its tables on the targets have no key either. Switch "
        "sql_require_primary_key off there for the migration, or give the source's table a key.",
    ),
    Code(
        "SW8172",
        "generated columns at a MariaDB that leaves them out of its log",
        "MariaDB 11.8 writes no value of a generated column where a row is updated or deleted, whatever "
        "binlog_row_image says. The plan reads such a column, in a row filter for instance: the stream would stop at "
        "the first such event (SW8111). Write the column's expression into the spec in place of the column, or follow "
        "a server of MariaDB 10.11.",
    ),
)
