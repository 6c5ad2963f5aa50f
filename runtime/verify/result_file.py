"""The result of an earlier comparison, as `verify --report json=PATH` has written it: how is the file read?

Used in the process of the command; reads the file.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from shardwright.runtime.failures import InputAtFault

Taken = TypeVar("Taken")
NO_RESULT = "SW8520"


def read_result_file(path: Path, take: Callable[[Any], Taken]) -> Taken:
    """What `take` takes of the document. Raises InputAtFault (SW8520) for a file that cannot be read, or that lacks
    what `take` asks for."""
    try:
        return take(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        reason = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        raise InputAtFault(
            NO_RESULT,
            f"{path} cannot be read as a result of verify: {reason}; `shardwright verify --report json=PATH` writes "
            "one",
        ) from error
