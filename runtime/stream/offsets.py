"""Which range of the sources a micro-batch covers: Spark tells foreachBatch only a number, its offset log tells the rest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_HEADER_LINES = 2  # the format's version, then the batch's metadata


def batch_ends(checkpoint: Path, batch_id: int) -> list[dict[str, Any] | None]:
    """The end of micro-batch `batch_id` in each source of the query, in the order of its frames; None for a source that has
    given nothing yet. Spark has written them to its offset log before running the batch.

    The checkpoint folder is scratch space of this run on the driver's own disk; nothing is ever resumed from it.
    """
    lines = (checkpoint / "offsets" / str(batch_id)).read_text(encoding="utf-8").splitlines()
    return [None if line == "-" else json.loads(line) for line in lines[_HEADER_LINES:]]
