"""`verify`: does every shard hold what the source holds, all of it, in the right place, and nothing else?

Runs in the driver, in threads; reads the source servers and the shards, and writes the state file if one is given.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.verify.barrier import Moving
from shardwright.runtime.verify.checkpoint import Checkpoint, read_checkpoint
from shardwright.runtime.verify.compare import TableComparison
from shardwright.runtime.verify.compared_ends import shard_number
from shardwright.runtime.verify.keyless import KeylessComparison
from shardwright.runtime.verify.result import TableResult, VerifyResult
from shardwright.runtime.verify.sessions import Sessions
from shardwright.runtime.verify.table_run import Manner, Progress, TableRun

OnProgress = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class CompareRequest:
    """Which rows are compared, and how."""

    tables: Sequence[str] | None = None
    """Names of logical tables; None: all."""
    only_shard: str | None = None
    """A target database: all others are left out, and the rows of the source that belong to them. None: all."""
    manner: Manner = field(default_factory=Manner)
    """How ranges are compared."""
    checkpoint: Path | None = None
    """Keeps how far the comparison has come. What it holds of an earlier call is used."""

    @property
    def is_whole(self) -> bool:
        """Whether this call compares all rows of all tables; one that goes on with an earlier call does not."""
        resumed = self.checkpoint is not None and self.checkpoint.exists()
        return self.tables is None and self.only_shard is None and self.manner.sampling is None and not resumed


def verify(
    plan: Plan,
    request: CompareRequest,
    *,
    source: Callable[[str], Connection[Any]],
    shard: Callable[[int], Connection[Any]],
    on_progress: OnProgress = lambda progress: None,
    moving: Moving | None = None,
) -> VerifyResult:
    """Compares the tables of `request`. `moving` is the stream that moves rows meanwhile; without it nothing writes to
    the tables.

    `source` (of a database) and `shard` open connections with the runtime's session settings; their exceptions are
    passed on. A table that cannot be compared is part of the result, with its reason, and the others are compared all
    the same. Raises RuntimeFailure (SW8504) for a table the plan does not have, InputAtFault (SW8510) for a file that
    holds no such state.
    """
    chosen, manner, only_shard = _choose(plan, request.tables), request.manner, request.only_shard
    number = None if only_shard is None else shard_number(plan, only_shard)
    chosen = tuple(table for table in chosen if number is None or number in plan.shards(table))
    kept = read_checkpoint(request.checkpoint, plan, [table.logical for table in chosen])
    sessions = Sessions(source, shard)
    started = time.monotonic()
    try:
        with ThreadPoolExecutor(manner.workers, thread_name_prefix="verify") as pool:
            results = tuple(
                _compare_keyless(KeylessComparison(plan, table, sessions, moving, number), manner)
                if table.identity.counts_rows
                else TableRun(plan, table, manner, kept.of(table.logical), _with_checkpoint(kept, on_progress)).run(
                    TableComparison(
                        plan,
                        table,
                        sessions,
                        moving=moving,
                        only_shard=number,
                        reads_all=manner.found is not None,
                    ),
                    pool,
                )
                for table in chosen
            )
    finally:
        kept.end()
        sessions.close()
    return VerifyResult(
        plan.migration,
        plan.fingerprint,
        results,
        time.monotonic() - started,
        only_shard=only_shard,
        direction=plan.direction,
    )


def _compare_keyless(comparison: KeylessComparison, manner: Manner) -> TableResult:
    manner.wait()
    result = comparison.run()
    if manner.found is not None:
        manner.found(result.mismatches)
    return result


def _with_checkpoint(kept: Checkpoint, on_progress: OnProgress) -> OnProgress:
    def report(progress: Progress) -> None:
        kept.note_change()
        on_progress(progress)

    return report


def _choose(plan: Plan, names: Sequence[str] | None) -> tuple[TablePlan, ...]:
    known = {table.logical: table for table in plan.tables_to_verify}
    unknown = [name for name in names or () if name not in known]
    if unknown:
        raise RuntimeFailure("SW8504", f"the plan has no table {unknown[0]}; it has {', '.join(known)}")
    return plan.tables_to_verify if names is None else tuple(known[name] for name in names)
