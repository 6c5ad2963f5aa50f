"""Which mismatches did an earlier report have? Compared with those of now.

Runs in the process of the command; reads the earlier report, and is pure otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.verify.report import as_json
from shardwright.runtime.verify.result import VerifyResult
from shardwright.runtime.verify.trend import Identity, Trend


@dataclass(frozen=True, slots=True)
class Listed:
    """The mismatches of one report."""

    mismatches: frozenset[Identity]
    whole: frozenset[str]
    """Tables of which it has all mismatches."""
    unclear: frozenset[tuple[str, tuple[str, ...]]]
    """Table and key of rows that kept changing."""


def read_earlier(path: Path, migration: str) -> Listed:
    """Raises InputAtFault (SW8520) when the file is no JSON report of that migration."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputAtFault("SW8520", f"{path} cannot be read as a result of verify: {error}") from error
    try:
        found, listed = str(data["migration"]), _listed(data)
    except (KeyError, TypeError) as error:
        raise InputAtFault(
            "SW8520",
            f"{path} is no result of verify: it lacks {error}; `shardwright verify --report json=PATH` writes one",
        ) from error
    if found != migration:
        raise InputAtFault("SW8520", f"{path} is about the migration {found}, and this is {migration}")
    return listed


def trend(result: VerifyResult, earlier: Listed, *, report: str) -> Trend:
    """`report` names the earlier one."""
    now = _listed(as_json(result))
    clear = {one for one in earlier.mismatches - now.mismatches if (one.table, one.key) not in now.unclear}
    tables = {table.table for table in result.tables}
    return Trend(
        report,
        new=frozenset(one for one in now.mismatches - earlier.mismatches if one.table in earlier.whole),
        lasting=now.mismatches & earlier.mismatches,
        gone=tuple(sorted(one for one in clear if one.table in now.whole)),
        not_compared=tuple(sorted(tables - (now.whole & earlier.whole))),
    )


def _listed(data: Mapping[str, Any]) -> Listed:
    tables = data["tables"]
    return Listed(
        frozenset(one for table in tables for one in _identities(table)),
        frozenset() if data["only_shard"] else frozenset(str(table["table"]) for table in tables if _is_whole(table)),
        frozenset((str(table["table"]), _key(key)) for table in tables for key in table["still_changing"]),
    )


def _identities(table: Mapping[str, Any]) -> Iterator[Identity]:
    for one in table["mismatches"]:
        yield Identity(str(table["table"]), str(one["kind"]), _key(one["key"]))


def _key(parts: Any) -> tuple[str, ...]:
    return tuple(str(part) for part in parts)


def _is_whole(table: Mapping[str, Any]) -> bool:
    """Whether all rows of the table were compared, and all mismatches are listed."""
    return bool(table["rows_shards"]) and not (table["problem"] or table["sample"] or table["not_listed"])
