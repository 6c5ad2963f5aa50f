"""Is a source of the kind that the spec says? Said once for each server, by whichever verb connects first.

Used in the driver; writes a warning to stderr.
"""

from __future__ import annotations

import sys
from typing import Final

_CODE: Final = "SW8310"
_reported: set[str] = set()


def is_of_mariadb(version: str) -> bool:
    return "mariadb" in version.lower()


def warn_of_dialect(where: str, *, written: str, version: str) -> None:
    """`written` is the spec's dialect; empty where none is expected of the server."""
    found = "mariadb" if is_of_mariadb(version) else "mysql"
    if not written or written == found or where in _reported:
        return
    _reported.add(where)
    print(
        f"warning {_CODE}: the spec says dialect: {written}, and the source {where} is {found} ({version}): write "
        f"dialect: {found} before the migration begins; statements and verdicts of the plan are for {written}",
        file=sys.stderr,
    )
