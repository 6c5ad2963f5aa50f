"""Which keys speak of a secret: what stands behind them is never repeated."""

from __future__ import annotations

import re

_SECRET_NAME = re.compile(r"(?i)pas+w(or)?[dt]|passphrase|pwd|secret|token|credential|access.?key")


def speaks_of_a_secret(key: object) -> bool:
    """Whether a value under this key may be a password or the like. Misspelt keys count."""
    return isinstance(key, str) and _SECRET_NAME.search(key) is not None
