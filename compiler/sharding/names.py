"""What may be called in a sharding expression, and the sentence for what may not."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

ALLOWED = ("crc32", "substr", "substring", "concat", "coalesce", "ifnull", "cast", "mod")

_CHANGING = frozenset(
    "rand uuid uuid_short now sysdate current_timestamp curdate current_date curtime current_time localtime "
    "localtimestamp utc_date utc_time utc_timestamp unix_timestamp connection_id last_insert_id user current_user "
    "session_user system_user database schema version row_count found_rows sleep benchmark get_lock release_lock "
    "random_bytes load_file currentdate currenttime currenttimestamp".split()
)


def is_changing(name: str) -> bool:
    """Whether a function may answer differently for the same row."""
    return name.lower() in _CHANGING


def closest(name: str, known: Iterable[str]) -> str | None:
    """The known name that was probably meant, compared without case."""
    by_lower = {candidate.lower(): candidate for candidate in known}
    found = difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=0.6)
    return by_lower[found[0]] if found else None


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    found = closest(name, known)
    return f"did you mean '{found}'?" if found else None
