"""A difference as data."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from shardwright.compiler.review.difference.changes import Change
from shardwright.compiler.review.difference.compare import Difference

FORMAT = 1


def render_json(differences: Sequence[Difference], *, base: str) -> str:
    """`{format, base, migrations: [{migration, before, after, restarts, begun, reversible, changes: [{kind, risk,
    ...}]}]}`."""
    data = {"format": FORMAT, "base": base, "migrations": [_difference(difference) for difference in differences]}
    return json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def _difference(difference: Difference) -> dict[str, Any]:
    return {
        "migration": difference.migration,
        "before": difference.before,
        "after": difference.after,
        "restarts": difference.restarts,
        "begun": asdict(difference.steps) if difference.steps is not None else None,
        "reversible": difference.reversible,
        "changes": [_change(change) for change in difference.changes],
    }


def _change(change: Change) -> dict[str, Any]:
    return {
        "kind": type(change).__name__,
        "risk": change.risk.value,
        "reversible": change.reversible,
        "words": change.words,
        **asdict(change),
    }
