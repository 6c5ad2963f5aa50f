"""Names of our own tables beside a logical table."""

from __future__ import annotations

import hashlib

MAX_BOOKKEEPING_NAME = 56  # leaves room for a suffix within MySQL's 64


def bookkeeping_name(prefix: str, logical: str) -> str:
    name = prefix + logical
    if len(name) <= MAX_BOOKKEEPING_NAME:
        return name
    return name[: MAX_BOOKKEEPING_NAME - 9] + "_" + hashlib.sha256(logical.encode()).hexdigest()[:8]
