"""What are our named locks called? Locks are per server, and their names are short: 64 characters on MySQL.

Pure. Used in the driver, and by commands.
"""

from __future__ import annotations

import hashlib


def lock_name(purpose: str, *of: str) -> str:
    """`purpose` is a word; `of` says what is locked, such as a database and a migration."""
    digest = hashlib.sha256("\0".join(of).encode()).hexdigest()[:40]
    return f"shardwright.{purpose}.{digest}"
