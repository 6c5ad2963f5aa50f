"""SW8xxx: run time. Plans and command line (SW80xx), the ledgers (SW82xx), the stream (SW83xx), routed DDL (SW840x-SW842x),
verification (SW850x to SW853x: `verify`), the sandbox (SW86xx), the dry run (SW87xx). Those of servers and logs (SW81xx) stand in `servers`,
those of queue messages (SW843x) in `messages`."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code
from shardwright.specs.findings.remedies import START_OVER

RUNTIME: tuple[Code, ...] = (
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
        "`prepare` could not make one. It is never needed: without it whatever uses Spark only starts more slowly.",
    ),
    Code(
        "SW8013",
        "not a file or folder of the project",
        "A link leads out of the project where one of its own files or folders is read or written (specs, tests, build,\n"
        "environments, the lock, the schema file), or build/NAME holds no plan. Nothing was read, written or removed there. Put the file or\n"
        "folder itself in the link's place; where plans shall stand elsewhere, name that folder with --output.",
    ),
    Code(
        "SW8014",
        "the plan is not the one in the lock",
        "What runs is what was reviewed: the plan in build/ must be the one that the project's shardwright.lock names. Compile, look at the\n"
        "difference, and commit the lock.",
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
        "The folder may not be written to, or a file stands where a folder should.",
    ),
    Code(
        "SW8054",
        "no folder for scratch files",
        "Spark, Java and Python's workers write scratch files into one private folder below `work_dir` of the environment, or below\n"
        "the system's folder for temporary files. Name one that this account may write.",
        "work_dir: /var/tmp/shardwright",
    ),
    Code("SW8201", "a newer run has taken over", "Only one run writes. This one was replaced and has stopped."),
    Code(
        "SW8202",
        "the books were changed by another run",
        "The batch is not open any more: see which other run there is.",
    ),
    Code(
        "SW8203",
        "the migration was started with another plan",
        "What was copied by one plan is not continued by another. Compile the spec it was started with, or give the\n"
        "changed spec a new migration name and empty targets.",
    ),
    Code("SW8204", "an open batch of another plan", "Run the plan that staged the batch until the batch is finished."),
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
        "Every shard keeps a ledger of what it has applied. One that is gone, or was never part of this migration, means that\n"
        f"its rows cannot be trusted either: restore the database with its ledger, or {START_OVER}.",
    ),
    Code(
        "SW8208",
        "a shard has another ledger than before",
        "Every ledger has a number of its own. Another number means another database under the same name: look at the\n"
        "environment's servers before anything is written.",
    ),
    Code(
        "SW8209",
        "a shard has been taken back",
        "A shard and the first shard's books disagree about what was applied: one of them was restored from a backup. What\n"
        f"came since is missing there. Restore all shards as of one moment, or {START_OVER}.",
    ),
    Code(
        "SW8210",
        "the books of a begun migration are lost",
        "A shard holds what this migration wrote, but the first shard does not know it. Restore the first shard's books, or\n"
        f"{START_OVER}.",
    ),
    Code(
        "SW8211",
        "a ledger of another version",
        "The ledger's tables were made by a version of shardwright that writes them differently. Finish the migration with it.",
    ),
    Code(
        "SW8212",
        "a source is set aside",
        "One of several source servers cannot be read; the message says why. The others have been followed to their ends. Mend\n"
        "that one and run again: nothing of it is lost.",
    ),
    Code(
        "SW8213",
        "a source can be read again",
        "It had been set aside while the other ones went on. The run starts over from the books with all of them.",
    ),
    Code(
        "SW8214",
        "tables take their changes again",
        "`ddl apply` had kept writers out of them, and the stream went on with the other tables. The run starts over: from where they began\n"
        "to wait everything is read again, as one batch.",
    ),
    Code(
        "SW8010",
        "a plan that is older than its files",
        "Specs, schema file or DDL files were changed since `compile`. A verb works by the plan as it was compiled, and says so; in an environment\n"
        "with `protected: true` it does nothing. Compile, look at the difference, and go on.",
        "shardwright compile && shardwright diff",
    ),
    Code(
        "SW8011",
        "no Java",
        "Spark runs in Java, 17 or newer, and starts the one in JAVA_HOME, or else the first on the PATH.",
        "apt-get install openjdk-17-jre-headless",
    ),
    Code(
        "SW8012",
        "a statement of a seed script failed",
        "The sandbox runs the scripts on its source, with foreign keys unchecked, so that tables may come in any order. The server refused\n"
        "a statement; the servers were taken down again. Mend the script, then start the sandbox anew.",
    ),
    Code(
        "SW8215",
        "another migration runs over the same tables",
        "Migrations may share databases: each has its own fencing token, ledger rows and locks. They may not write to the same tables at the\n"
        "same time, because stages and tombstones are kept beside a table. End the other run, or leave the table to one of the two.",
    ),
    Code(
        "SW8216",
        "a protected environment",
        "The environment file says `protected: true`: what writes to its servers asks at a terminal, and needs `--yes` elsewhere.",
        "shardwright run --env production --yes",
    ),
    Code(
        "SW8301", "a shard refused a batch", "The message repeats the server's reason. Nothing of that step was kept."
    ),
    Code(
        "SW8302",
        "a batch has reached a part of the shards",
        "The message repeats the server's error. Mend that first (a trigger, a missing privilege, a table that was changed),\n"
        "then run again: nothing is lost, and the run finishes the batch.",
    ),
    Code(
        "SW8303",
        "a unique value is taken by another row",
        "A row of the stream has a unique value that a row outside the batch holds. The message names both. Find out who\n"
        "wrote the other one; nothing is overwritten.",
    ),
    Code("SW8304", "the stream has stopped", "The books are consistent: running again resumes."),
    Code(
        "SW8305",
        "a server fails for a while",
        "A connection broke, a server was restarted, is full, or has become read-only. A run that is under way tries again for\n"
        "`network.retry_for` (5 minutes) without getting any further, then it ends with this. The books are consistent:\n"
        "running again resumes. When a statement just takes longer than `network.answer_timeout`, raise that.",
        "network: {answer_timeout: 5m, retry_for: 1h}",
    ),
    Code(
        "SW8306",
        "no room for temporary files",
        "Spark's shuffle and other scratch files find no room below `work_dir` of the environment (without one: in the system's\n"
        "folder for temporary files), or may not be written there. Make room, or name\n"
        "another folder: a run that is under way goes on by itself, otherwise run again. Nothing of it is needed later.",
    ),
    Code(
        "SW8307",
        "a Python process of Spark's was killed",
        "Tasks run in Python processes that Spark starts. One was killed, most often by the system for lack of memory. The run tries again by\n"
        "itself; where it does not get on, give the machine more memory, or let fewer tasks run at a time.",
        "spark: {master: 'local[2]'}   snapshot: {parallel: 2}",
    ),
    Code(
        "SW8308",
        "Spark's Java process is gone",
        "It was killed, most often by the system for lack of memory, and the run ended. The ledgers are consistent: running again resumes.",
    ),
    Code("SW8399", "a test stopped the run", "SHARDWRIGHT_FAILPOINTS is set: unset it, run again."),
    Code("SW8401", "an applied DDL file was changed", "Put it back as it was and write the change into a new file."),
    Code(
        "SW8402",
        "a foreign table in the way",
        "A target table stands there and differs from the plan: rename or drop it, or let `ddl new` write the change that leads it there.",
    ),
    Code("SW8403", "DDL has reached a part of the tables", "The message lists what is left; running again resumes."),
    Code("SW8404", "a target table was changed by somebody else", "Put it back as it was, then run again."),
    Code("SW8405", "another run of DDL", "Let it end, or end its connection with KILL, then run again."),
    Code("SW8406", "a grant is missing for DDL", "The message names the grant."),
    Code("SW8407", "a table stays locked", "Another connection holds it: end its transaction, run again."),
    Code("SW8408", "the connection broke during DDL", "Run again: what was done is recognised."),
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
        "The spec says `defer_indexes: true`, so indexes are built once all rows are copied. A change that does more than add columns and\n"
        "keys of other names waits for that: run until caught up, then `shardwright ddl apply`. Where such a change was met in the\n"
        "stream while rows are copied, step over it (run --allow SW8114@FILE:POS) and make it with a DDL file when the indexes stand.",
    ),
    Code(
        "SW8414",
        "too many changes while an index was built",
        "The server keeps what is written to a table while an index of it is built, up to innodb_online_alter_log_max_size (128 MiB unless\n"
        "it is set). Nothing of the index is left; raise the limit on the named shard's server, and running again builds it.",
        "SET GLOBAL innodb_online_alter_log_max_size = 8 * 1024 * 1024 * 1024",
    ),
    Code(
        "SW8415",
        "the server does not do a DDL change as lightly as planned",
        "The statement asks for the algorithm and the lock of the change's class (`ddl plan`), so the server refused it and did nothing:\n"
        "the table has something of which the rules do not know (a full-text index, a compressed row format, many instant changes\n"
        "before), or the server is older than they are. `--allow SW8415` lets servers do it in place; together with SW8422 also while\n"
        "writers wait, together with SW8421 also by copying the table. Only tables whose server refuses the lighter way get a heavier one.",
    ),
    Code("SW8420", "a DDL change that loses data", "Look at what it drops; the message names the flag that allows it."),
    Code(
        "SW8421",
        "a DDL change that copies tables",
        "The server copies each physical table to change it: that takes its time and its room, and writers of the table, the stream among\n"
        "them, wait meanwhile (not on MariaDB from 11.2 on). Look at `ddl plan`; `--allow SW8421` lets it. Where you know that the server\n"
        "can do it more lightly (a longer VARCHAR), write ALGORITHM=INPLACE into the file: the server refuses if you are wrong.",
    ),
    Code(
        "SW8422",
        "a DDL change that keeps writers waiting",
        "The server builds this in place, but nobody writes to the table meanwhile. Look at `ddl plan`; `--allow SW8422` lets it.",
    ),
    Code(
        "SW8440",
        "--strays and --env of ddl plan go together",
        "Name the environment whose tables are to be looked at: `ddl plan --strays --env NAME`.",
    ),
    Code(
        "SW8441",
        "the tool for online changes is missing",
        "`ddl apply --online` hands changes that copy tables to pt-online-schema-change or gh-ost, and that is not installed where it runs, or\n"
        "is too old. Nothing was done. Install it, name the other one, or apply without --online.",
    ),
    Code(
        "SW8442",
        "a change that a tool for online changes cannot do",
        "Both tools refuse, or lose rows with, triggers of your own, foreign keys, renamed columns, new unique keys and a changed primary key;\n"
        "on MySQL the copy cannot have the table's checks. Nothing was done. Apply without --online, or split the statement.",
    ),
    Code(
        "SW8443",
        "leftovers of a tool for online changes",
        "pt-online-schema-change or gh-ost was killed, and its tables or triggers stand beside a physical table; or somebody runs one of them.\n"
        "The message names them and the statements that remove them. See that none is at work, then run again with --remove-leftovers.",
    ),
    Code(
        "SW8444",
        "a tool for online changes failed",
        "The message has the end of what it said and the file with all of it. The physical table is as before, unless the tool says that it\n"
        "swapped the tables: the live table decides when you run again.",
    ),
    Code(
        "SW8446",
        "tables that differ among themselves",
        "`ddl new` writes one statement for all tables. Bring the strays back first: `ddl plan --strays` has a statement for each.",
    ),
    Code(
        "SW8447",
        "changes that wait",
        "What a file says already must stand on the tables before `ddl new` looks for the rest.",
    ),
    Code("SW8448", "no folder for DDL files", "Add `ddl: ddl/` to the spec and make that folder."),
    Code("SW8449", "a file's name", "Small letters, digits and _."),
    Code("SW8445", "--remove-leftovers without --online", "Leftovers are those of the tools that --online names."),
    Code("SW8601", "the sandbox cannot fill a data folder", "The end of the server's log stands in the message."),
    Code("SW8602", "a sandbox server did not come up", "The end of the server's log stands in the message."),
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
        "A folder that another account made, or may write, could hold passwords and files of theirs, which the sandbox would use as yours.\n"
        "`/tmp` is everybody's: use a folder in your home, or one that `mktemp -d` made.",
        "shardwright sandbox up --folder ~/.cache/shop-sandbox",
    ),
    Code(
        "SW8701",
        "Spark does not accept a statement",
        "Found by the dry run. The note is Spark's reason. The compiler wrote the statement, so please report it, with the\n"
        "table's CREATE TABLE and its entry in the spec.",
    ),
    Code(
        "SW8702",
        "a statement's result does not fit",
        "Found by the dry run: a fault of the compiler, please report it.",
    ),
    Code("SW8703", "a statement fails on made-up rows", "Found by the dry run. The note is Spark's reason."),
    Code(
        "SW8704",
        "a statement gives a wrong result",
        "Found by the dry run: for the events in the note the contract asks for another result. What the compiler wrote is\n"
        "wrong; running it would put wrong rows on the shards. Please report it with the finding.",
    ),
    Code(
        "SW8705",
        "a rehearsal goes wrong",
        "Found by the dry run: for the made-up history in the notes, shrunk to what it takes, the contract asks for another\n"
        "result than the statement gives. What the compiler wrote is wrong; please report it with the finding. The history is\n"
        "printed as a spec test too.",
    ),
)
