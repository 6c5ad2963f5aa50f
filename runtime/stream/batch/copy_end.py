"""Where the copy ends in a queue, kept as offsets once the stream has passed it.

Until then the ledger has a mark, which each run resolves anew, into the queue's end of its own time. A run that finds messages
waiting would take itself for copying, and let rows that others wrote on the targets give way as copied ones do (C4, C6).
"""

from __future__ import annotations

from shardwright.runtime.ledger.batches import settle_snapshot_end
from shardwright.runtime.stream.batch.run import BatchRunner


def keep_copy_end(batches: BatchRunner) -> None:
    with batches.lock:
        end = batches.state.snapshot_end
        if end is None or batches.state.copying or end.settled() == end:
            return
        batches.context.transaction(lambda c: settle_snapshot_end(c, batches.context.migration, end.settled()))
    batches.read_again()
