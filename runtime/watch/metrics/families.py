"""Which metrics are there? Each with its name, type, labels and meaning; the reference page is made of them.

Values; connects to nothing, and does not load the library that serves them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["gauge", "counter", "histogram"]
PREFIX: Final = "shardwright_"


@dataclass(frozen=True, slots=True)
class Family:
    """One metric. All but one have the label `migration` first."""

    name: str
    """Without PREFIX; it ends in its unit, and in `_total` where it only grows."""
    kind: Kind
    help: str
    """What it says, in one sentence."""
    labels: tuple[str, ...] = ()
    """Beside `migration`."""
    absent: str = ""
    """When it is left out."""
    of_all: bool = False
    """Whether it has no label `migration`: it is about the process."""

    @property
    def full_name(self) -> str:
        return PREFIX + self.name

    @property
    def label_names(self) -> tuple[str, ...]:
        return self.labels if self.of_all else ("migration", *self.labels)


LABELS: Final[Mapping[str, str]] = {
    "migration": "the migration's name",
    "version": "the version of Shardwright",
    "plan": "fingerprint of the plan that the migration runs with",
    "direction": "forward or backward",
    "server": "host:port of a server; for a replica its name in the environment",
    "role": "what a server was asked as: ledger, source or shard",
    "source": "name of a source server in the environment; on the way back the first shard of a server of shards",
    "shard": "target database; on the way back the ledger's database beside the source",
    "table": "logical table",
    "state": "a word of the ledger: of a dead letter held, retry or answered; of a cutover following to finished",
    "code": "code of a failure or finding (SWnnnn), or none",
    "side": "source or shards",
    "writer": "source, shards or none",
    "work": "what pauses: writing, copying",
    "reason": "what holds it up: operator, replica_lag, threads_running, commit_latency or other",
    "decision": "what was decided about a row: insert, update or delete",
    "kind": "copied_row: a copied row yielded to the stream; row_lock: a statement waited for another client's lock",
    "outcome": "what was done about DDL in the log: apply, step_over or another decision of the spec",
}
"""Each label with what bounds its values. None has the value of a row."""

_NO_LEDGER: Final = "its ledger does not answer"
_QUEUE: Final = "the stream reads a queue there, or the server does not answer"
_COPYING: Final = "all rows are copied, or too little was copied since the process began"

OBSERVED: Final = (
    Family("build_info", "gauge", "1, with the version as a label.", ("version",), of_all=True),
    # Who was asked:
    Family("observed_timestamp_seconds", "gauge", "When ledgers and servers were last asked."),
    Family("observation_duration_seconds", "gauge", "How long their answers took."),
    Family("server_up", "gauge", "1 where a server has answered all that it was asked; 0 where not.",
           ("server", "role")),
    # The migration:
    Family("begun", "gauge", "1 once the migration has begun.", absent=_NO_LEDGER),
    Family("finished", "gauge", "1 once `cutover finish` has ended the migration.", absent=_NO_LEDGER),
    Family("plan_info", "gauge", "1, with the plan's fingerprint as a label.", ("plan",), _NO_LEDGER),
    Family("direction", "gauge", "1 for the direction in which changes go, 0 for the other; 1 for both while buckets "
           "move one by one.", ("direction",), _NO_LEDGER),
    Family("epoch", "gauge", "The fencing token of the last run.", absent=_NO_LEDGER),
    Family("run_live", "gauge", "1 while a run is connected to the ledger, 0 while none is.",
           absent="the account has neither PROCESS nor the run's user name, and sees no session"),
    Family("paused", "gauge", "1 while an operator has paused the migration (`control pause`).", absent=_NO_LEDGER),
    Family("copy_cap_rows_per_second", "gauge", "An operator's cap on copied rows.", absent="no cap is ordered"),
    Family("copy_cap_bytes_per_second", "gauge", "An operator's cap on copied bytes.", absent="no cap is ordered"),
    # The stream:
    Family("batch", "gauge", "The number of the last closed batch.", absent=_NO_LEDGER),
    Family("batch_open", "gauge", "1 while a batch is open.", absent=_NO_LEDGER),
    Family("caught_up", "gauge", "1 while the stream is at the end of every source.", absent=_NO_LEDGER),
    Family("source_lag_seconds", "gauge", "0 at the end of the log, else the age of the newest applied "
           "transaction, or less where the stream was seen at the end later.", ("source",), _QUEUE),
    Family("source_lag_bytes", "gauge", "Bytes of the log that are not applied yet.", ("source",), _QUEUE),
    Family("source_position_file", "gauge", "Number of the log file up to which every shard has everything.",
           ("source",), "the stream reads a queue there"),
    Family("source_position_offset_bytes", "gauge", "Place in that file.", ("source",),
           "the stream reads a queue there"),
    Family("source_head_file", "gauge", "Number of the log file that the server writes.", ("source",), _QUEUE),
    Family("source_head_offset_bytes", "gauge", "Where that file ends.", ("source",), _QUEUE),
    Family("source_applied_timestamp_seconds", "gauge", "Commit time of the newest applied change.", ("source",),
           "none is applied yet"),
    # The purge clock:
    Family("source_purge_left_seconds", "gauge",
           "Time until the server may purge the file that has the stream's position; 0 once it has.", ("source",),
           "the server has no limit and purges nothing, or does not answer"),
    Family("source_log_retention_seconds", "gauge", "For how long the server keeps log files, by its variables or "
           "the table of RDS.", ("source",), "it has no such limit"),
    Family("source_log_retention_bytes", "gauge", "How many bytes of log the server keeps.", ("source",),
           "it has no such limit"),
    Family("source_log_bytes", "gauge", "Bytes of all log files that the server has.", ("source",), _QUEUE),
    Family("source_log_oldest_seconds", "gauge", "Age of the oldest log file.", ("source",),
           "the account lacks REPLICATION SLAVE"),
    Family("source_log_growth_bytes_per_second", "gauge", "How fast the log grows, over its last four files.",
           ("source",), "the account lacks REPLICATION SLAVE"),
    # Shards and replicas:
    Family("shard_batch", "gauge", "The last batch of which a shard has its whole share.", ("shard",),
           "its server does not answer"),
    Family("shard_applied_seconds", "gauge", "Time since then.", ("shard",), "its server does not answer"),
    Family("shard_restored", "gauge", "1 where the shard's ledger lacks batches: it was restored from a backup "
           "(SW8209).", ("shard",), "its server does not answer"),
    Family("shard_chunks", "gauge", "Chunks that a shard has.", ("shard",), "its server does not answer"),
    Family("shard_copied_rows", "gauge", "Rows that chunks brought to a shard.", ("shard",),
           "its server does not answer"),
    Family("replica_lag_seconds", "gauge", "Lag of a replica that the throttle watches.", ("server", "work"),
           "it gives no reading"),
    Family("replica_holds", "gauge", "1 while work pauses for that replica.", ("server", "work")),
    # The copy:
    Family("snapshot_complete", "gauge", "1 once all rows are copied and the stream has passed the high watermark.",
           absent=_NO_LEDGER),
    Family("table_chunks_planned", "gauge", "Chunks of a table that are planned, the finished ones included.",
           ("table",), _NO_LEDGER),
    Family("table_chunks_done", "gauge", "Chunks of a table that are on every shard.", ("table",), _NO_LEDGER),
    Family("table_copied_rows", "gauge", "Rows of these chunks.", ("table",), _NO_LEDGER),
    Family("table_left_rows", "gauge", "Rows that are left, by the source server's estimate.", ("table",),
           "all rows are copied, or the account sees no table of the source"),
    Family("table_copy_rows_per_second", "gauge", "The recent speed of the copy.", ("table",), _COPYING),
    Family("table_copy_left_seconds", "gauge", "Time for the rest of a table.", ("table",), _COPYING),
    Family("copy_left_seconds", "gauge", "Time for the rest of all tables.", absent=_COPYING),
    # What needs a person:
    Family("quarantined_rows", "gauge", "Rows that are dead letters now.", absent=_NO_LEDGER),
    Family("dead_letters", "gauge", "Dead letters by table, state and code.", ("table", "state", "code"),
           "there are none"),
    Family("left_out_transactions", "gauge", "Transactions that the stream has left out as our own and that changed "
           "followed tables.", absent=_NO_LEDGER),
    Family("left_out_rows", "gauge", "Rows of followed tables that these changed.", absent=_NO_LEDGER),
    # The last comparison:
    Family("verify_equal", "gauge", "1 while the last whole comparison that found both sides equal proves it; 0 once "
           "it is void, such as by a later one with differences.", absent="no whole comparison has found both equal"),
    Family("verify_age_seconds", "gauge", "Time since that comparison began.", absent="as for `verify_equal`"),
    Family("verify_compared_rows", "gauge", "Rows that it has compared.", absent="as for `verify_equal`"),
    Family("verify_changed_rows", "gauge", "Rows that batches have changed since.", absent="as for `verify_equal`"),
    # The cutover:
    Family("cutover_state", "gauge", "1 for the state of the cutover, 0 for the others.", ("state",), _NO_LEDGER),
    Family("cutover_state_seconds", "gauge", "How long this state has lasted.", absent=_NO_LEDGER),
    Family("cutover_pause_seconds", "gauge", "For how long neither side has taken writes until now; 0 while one does.",
           absent=_NO_LEDGER),
    Family("cutover_last_pause_seconds", "gauge", "How long the last switch took, from its fence on.",
           absent="there was none"),
    Family("writes_to", "gauge", "1 for the side that takes the applications' writes, 0 for the other.", ("side",),
           _NO_LEDGER),
    Family("writes_generation", "gauge", "How many times that side has changed.", absent=_NO_LEDGER),
    Family("buckets", "gauge", "Virtual buckets by the side that takes their writes; none: they are moving.",
           ("writer",), "no bucket has moved by itself"),
    Family("conflicts", "gauge", "Rows that both sides have changed without knowledge of each other; state held: they "
           "wait for a decision.", ("kind", "decision", "state"), "both sides have not written, or nothing met"),
)  # fmt: skip
"""By `exporter`, and by a run that serves metrics."""

OF_A_RUN: Final = (
    Family("run_start_timestamp_seconds", "gauge", "When the process of the run has started."),
    Family("run_epoch", "gauge", "The fencing token of this run.", absent="it has none yet"),
    Family("run_lag_seconds", "gauge", "The age of the newest change of the last batch; 0 at the end of the sources. "
           "Of queues, too.", absent="no batch is applied yet"),
    Family("run_batches_total", "counter", "Batches that are applied."),
    Family("run_batch_duration_seconds", "histogram", "The time of a batch."),
    Family("run_changes_total", "counter", "Row changes of the sources that are applied.", ("table",)),
    Family("run_rows_total", "counter", "Rows of batches by the decision about them, counted on each shard.",
           ("table", "decision")),
    Family("run_chunks_total", "counter", "Chunks that are copied.", ("table",)),
    Family("run_copied_rows_total", "counter", "Rows of these chunks.", ("table",)),
    Family("run_copied_bytes_total", "counter", "Bytes that were sent to shards for these chunks.", ("table",)),
    Family("run_throttled", "gauge", "1 while work pauses for a reason.", ("work", "reason"), "it never has"),
    Family("run_throttled_seconds_total", "counter", "The time of pauses that have ended.", ("work",)),
    Family("run_retries_total", "counter", "Attempts that have failed by a transient error.", ("code",)),
    Family("run_errors_total", "counter", "Errors of the run and of its sources, the transient ones included.",
           ("code",)),
    Family("run_source_isolated", "gauge", "1 while a source cannot be read and the others continue.", ("source",),
           "it never was"),
    Family("run_quarantined_rows_total", "counter", "Rows that became dead letters."),
    Family("run_reread_rows_total", "counter", "Rows that were read again at the source and applied."),
    Family("run_conflicts_total", "counter", "Conflicts with rows of others, or with copied ones.", ("kind",)),
    Family("run_schema_changes_total", "counter", "DDL statements in the log of followed tables.", ("outcome",)),
    Family("run_lost_executors_total", "counter", "Executors that Spark has lost."),
)  # fmt: skip
"""By a run that serves metrics; from its start on."""

BATCH_BUCKETS: Final = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
"""Seconds, for `run_batch_duration_seconds`."""
