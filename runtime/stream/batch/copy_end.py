"""Where does the copy end in a queue? Kept as offsets once the stream has passed it.

Runs in the driver, between two batches; writes the first shard's ledger.

Until then the ledger has a mark, which each run resolves anew, into the queue's end at that time. A run that finds
messages waiting would take itself for copying. Then it would supersede rows that others wrote on the targets, as it
does with copied ones (C4, C6).
"""

from __future__ import annotations

from shardwright.runtime.ledger.batches import settle_snapshot_end
from shardwright.runtime.sources.source import settle
from shardwright.runtime.stream.batch.run import BatchRunner


def keep_copy_end(batches: BatchRunner) -> None:
    with batches.lock:
        end = batches.state.snapshot_end
        if end is None or batches.is_copying or (known := settle(batches.sources, end)) == end:
            return
        batches.context.transaction(lambda c: settle_snapshot_end(c, batches.context.migration, known))
    batches.read_again()
