"""What operators can do, where more than one message says it: one wording each, so that no two can drift
apart. Pure text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

RECOPY: Final = "shardwright run --recopy"
"""Of tables that the stream follows well, and whose rows on the shards are wrong or missing."""

START_OVER: Final = "start the migration over (docs/how-to/copy-again.md, Starting over)"
"""Where the stream cannot continue from its position: a table that is copied again needs the changes behind that place,
too."""

IMPORT_AGAIN: Final = f"import the schema again, compile and run; where the run does not take that plan, {START_OVER}"
"""For a table whose columns in the binary log differ from the plan's. DDL in the log explains a newer plan; DDL that
was not logged (`sql_log_bin = 0`) does not."""

BY_NAME: Final[Mapping[str, str]] = {"RECOPY": RECOPY, "START_OVER": START_OVER, "IMPORT_AGAIN": IMPORT_AGAIN}
"""For the holes in explanations of codes."""
