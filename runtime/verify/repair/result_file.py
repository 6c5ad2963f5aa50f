"""The keys that a result of `verify` names: what `verify --report json=PATH` or `--format json` has written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.verify.key_range import Key


def wrong_keys(path: Path, plan: Plan) -> Mapping[str, tuple[Key, ...]]:
    """Logical table -> keys, each once, in the order of the result. Raises InputAtFault when it is no such file (SW8520), and when it
    was made with another plan (SW8521)."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputAtFault("SW8520", f"{path} cannot be read as a result of verify: {error}") from error
    try:
        migration, fingerprint = str(told["migration"]), str(told["fingerprint"])
        found = {str(table["table"]): tuple(_keys(table)) for table in told["tables"]}
    except (KeyError, TypeError) as error:
        raise InputAtFault(
            "SW8520",
            f"{path} is no result of verify: it lacks {error}; `shardwright verify --report json=PATH` writes one",
        ) from error
    if (migration, fingerprint) != (plan.migration, plan.fingerprint):
        raise InputAtFault(
            "SW8521",
            f"{path} compares by plan {fingerprint} of {migration}, and this is plan {plan.fingerprint} of {plan.migration}: "
            "verify again",
        )
    for logical, keys in found.items():
        _require_keys(path, plan, logical, keys)
    return {logical: keys for logical, keys in found.items() if keys}


def _keys(table: Mapping[str, Any]) -> dict[Key, None]:
    return {tuple(str(part) for part in one["key"]): None for one in table["mismatches"]}


def _require_keys(path: Path, plan: Plan, logical: str, keys: tuple[Key, ...]) -> None:
    width = next((len(table.key) for table in plan.tables if table.logical == logical), None)
    if width is None:
        raise InputAtFault("SW8520", f"{path} names table {logical}, which the plan does not have")
    for key in keys:
        if len(key) != width:
            raise InputAtFault("SW8520", f"{path}: the key {', '.join(key)} of {logical} has not {width} columns")
