"""What is known of a database's rows: counts, sizes, how the values of some columns are spread, and how many rows were
read and changed. Pure.

A server is asked for them once (`runtime/rehearsal/advice/`); a file keeps them for a look without the server.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

_VERSION: Final = 1


class BadStatistics(ValueError):
    """The text is no file of statistics."""


@dataclass(frozen=True, slots=True)
class ColumnStatistics:
    """How one column's values are spread. `nulls` and the shares are parts of all rows, from 0 to 1."""

    distinct: int
    nulls: float = 0.0
    heaviest: tuple[tuple[str, float], ...] = ()
    """Values with the share of the rows that have them, the heaviest first."""

    @property
    def top_share(self) -> float:
        return self.heaviest[0][1] if self.heaviest else 0.0


@dataclass(frozen=True, slots=True)
class RowCounts:
    """How many rows the server has read and changed since it counts (MariaDB's `user_statistics`)."""

    read: int
    changed: int
    by_index: Mapping[str, int] = field(default_factory=dict)
    """Rows read by each index, by its name in small letters."""


@dataclass(frozen=True, slots=True)
class TableStatistics:
    """`rows` and `bytes` are the server's estimates."""

    rows: int
    bytes: int = 0
    columns: Mapping[str, ColumnStatistics] = field(default_factory=dict)
    """By name in small letters."""
    counts: RowCounts | None = None
    """None where the server does not count."""


Statistics = Mapping[str, TableStatistics]
"""By table name."""


def statistics_text(statistics: Statistics) -> str:
    """The file's text."""
    tables = {
        name: {
            "rows": table.rows,
            "bytes": table.bytes,
            "columns": {
                column: {
                    "distinct": known.distinct,
                    "nulls": round(known.nulls, 6),
                    "heaviest": [[value, round(share, 6)] for value, share in known.heaviest],
                }
                for column, known in sorted(table.columns.items())
            },
            **({} if table.counts is None else {"counts": _counts_data(table.counts)}),
        }
        for name, table in sorted(statistics.items())
    }
    return json.dumps({"version": _VERSION, "tables": tables}, indent=1, ensure_ascii=False) + "\n"


def _counts_data(counts: RowCounts) -> dict[str, object]:
    return {"read": counts.read, "changed": counts.changed, "by_index": dict(sorted(counts.by_index.items()))}


def read_statistics(text: str) -> Statistics:
    """The statistics in a file's text. Raises BadStatistics."""
    try:
        document = json.loads(text)
        if document["version"] != _VERSION:
            raise BadStatistics(f"it has version {document['version']}, and this program reads {_VERSION}")
        return {str(name): _table(table) for name, table in document["tables"].items()}
    except BadStatistics:
        raise
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadStatistics(f"it is no file of `--write-statistics`: {error!r}") from None


def _table(table: Mapping[str, Any]) -> TableStatistics:
    columns = {
        str(name).lower(): ColumnStatistics(
            int(known["distinct"]),
            float(known.get("nulls", 0.0)),
            tuple((str(value), float(share)) for value, share in known.get("heaviest", ())),
        )
        for name, known in table.get("columns", {}).items()
    }
    counts = table.get("counts")
    return TableStatistics(
        int(table["rows"]), int(table.get("bytes", 0)), columns, None if counts is None else _counts(counts)
    )


def _counts(counts: Mapping[str, Any]) -> RowCounts:
    by_index = {str(name).lower(): int(rows) for name, rows in counts.get("by_index", {}).items()}
    return RowCounts(int(counts["read"]), int(counts["changed"]), by_index)
