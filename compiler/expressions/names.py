"""What may be called in a sharding expression, and what never gives the same value twice."""

from __future__ import annotations

ALLOWED = (
    *("crc32", "substr", "substring", "concat", "coalesce", "ifnull", "cast", "mod"),
    *("if", "case", "left", "right", "upper", "lower", "length", "char_length", "hex", "sha2"),
    *("date", "year", "month", "day", "hour", "minute", "second"),
)

_CHANGING = frozenset(
    {
        *("now", "sysdate", "current_timestamp", "localtime", "localtimestamp", "unix_timestamp", "utc_timestamp"),
        *("curdate", "current_date", "utc_date", "curtime", "current_time", "utc_time"),
        *("rand", "random_bytes", "uuid", "uuid_short", "connection_id", "last_insert_id", "row_count", "found_rows"),
        *("user", "current_user", "session_user", "system_user", "database", "schema", "version"),
        *("sleep", "benchmark", "get_lock", "release_lock", "load_file"),
    }
)


def is_changing(name: str) -> bool:
    """Whether a function may answer differently for the same row."""
    return name.lower() in _CHANGING
