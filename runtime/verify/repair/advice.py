"""What helps against differences of each cause, beside reading the rows again?

Pure, but for reading the comparison's result file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from shardwright.runtime.verify.cause import WORDS, Cause
from shardwright.runtime.verify.result_file import read_result_file

ADVICE: Final[Mapping[Cause, str]] = {
    Cause.COLLATION: (
        "a row that is read again differs again where the shards' column has another type or collation than the plan: "
        "`shardwright ddl plan --drift` shows that first"
    ),
    Cause.TRUNCATED: (
        "a row that is read again is cut again where the shards' column is shorter: `shardwright ddl plan --drift` "
        "shows that first"
    ),
    Cause.JSON_NUMBER: (
        "both documents have equal numbers, and a row that is read again is written in the same way: nothing to repair "
        "unless the application compares texts"
    ),
    Cause.ROUNDING: (
        "a row that is read again is rounded again where the shards' column has fewer digits: `shardwright ddl plan "
        "--drift` shows that first"
    ),
    Cause.TIME_ZONE: (
        "who wrote the row used another session time zone: find that writer first, or the next row differs in the same "
        "way"
    ),
    Cause.FOREIGN_WRITER: "the repair overwrites what the other writer wrote: stop that writer first",
    Cause.LATE: "the stream brings these rows by itself: verify again when it has caught up",
    Cause.LOST: "reading the rows again brings them; keep the report and the logs, for this is a bug to report",
    Cause.UNEXPLAINED: "`shardwright explain-row` shows the history of one row",
}


def advise(path: Path) -> Iterator[str]:
    """A line for each cause in the result file, the most frequent first. The file is one that `wrong_keys` has read; a
    report of an earlier version names no causes."""
    found = read_result_file(path, _count_causes)
    for name, count in found.most_common():
        if name in set(Cause):
            yield f"{count:,} {'row' if count == 1 else 'rows'}, {WORDS[Cause(name)]}: {ADVICE[Cause(name)]}"


def _count_causes(data: Any) -> Counter[str | None]:
    return Counter(one.get("cause") for table in data["tables"] for one in table["mismatches"])
