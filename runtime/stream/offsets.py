"""Which range of the log a micro-batch covers: Spark tells foreachBatch only a number, its offset log tells the rest."""

from __future__ import annotations

import json
from pathlib import Path

from shardwright.runtime.binlog.position import LogPosition


def batch_end(checkpoint: Path, batch_id: int) -> LogPosition:
    """The end of micro-batch `batch_id`, which Spark has written to its offset log before running the batch.

    The checkpoint folder is scratch space of this run on the driver's own disk; nothing is ever resumed from it.
    """
    lines = (checkpoint / "offsets" / str(batch_id)).read_text(encoding="utf-8").splitlines()
    return LogPosition.from_json(json.loads(lines[-1]))
