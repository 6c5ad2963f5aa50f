"""A lab of values that break things, on servers that are set up to break them: every SQL mode and time zone is
another, one shard takes small packets, the source keeps its log for an hour.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pymysql.connections import Connection
from pymysql.cursors import Cursor

from tests.oracle.tables import Table, by_crc32
from tests.servers.testbed import Server
from tests.support.lab import SHARDS, SUFFIXES, Lab, place_of

HARD = Path(__file__).with_name("hard")
SMALL_PACKET = 1 << 20
VALUES = (
    None, "", "NULL", "null", "\\N", "\\", "\\\\", "\\n", "\n", "\r\n", "\t", "\\\t\\", "\0", "a\0b", "\x1a", "\x7f",
    "'", "''", '"', "`", "\\'", "'; DROP TABLE texts; --", "*/ x /*", "/*!50000 x */", "-- x", "# x", "%s", "%(id)s", "%",
    "_", "{}", "{0}", "${suffix}", "`${keys}`", "@sw_batch", "$1", "<b>&amp;</b>", " ends with blanks   ", "é", "e\u0301",
    "ﬁ", "שלום", "\u202edesrever", "\u200d", "👩‍👩‍👧", "\U0010ffff", "\ufeff", "\u2028", "0x41", "1e5", "-0", "true",
)  # fmt: skip
"""For columns. No lone surrogates: the server takes none."""
NAMES = tuple(value for value in VALUES if value is not None and value == value.rstrip(" "))
BYTES = (None, b"", b"NULL", b"\\N", bytes(range(256)), b"\0", b"\xff\xfe", b"\t\n\r\x1a\\'\"", b"\xc3\x28", b"  ")
EDGES = (-(1 << 63), 1 - (1 << 63), -(1 << 31), -1, 0, 1, 1 << 31, 1 << 32, 1 << 53, (1 << 53) + 1, (1 << 63) - 2, (1 << 63) - 1)  # fmt: skip
UNSIGNED = (0, 1, (1 << 63) - 1, 1 << 63, (1 << 63) + 1, (1 << 64) - 2, (1 << 64) - 1)
_INSTANTS = (
    None,
    "2024-03-10 02:30:00.000001",
    "2024-11-03 01:30:00",
    "1970-01-02 00:00:01",
    "2038-01-19 03:14:07.999999",
)
_STAMPS = (None, "2024-03-10 02:30:00.999999", "2024-02-29 23:59:59", "1000-01-01 00:00:00.000001")
"""Hours that a clock somewhere skips or has twice, and the ends of the types."""

_by_name = by_crc32(SHARDS, SUFFIXES)


def _table_of(name: str, *key: str) -> Table:
    return Table(name, (f"lab.{name}",), key, SHARDS, SUFFIXES, ("place",), place_of)


TABLES = (
    *(
        _table_of(name, "id")
        for name in ("texts", "edge", "edge_unsigned", "nothing", "single", "stamped", "kinds", "large")
    ),
    _table_of("crowd", "prefix", "place", "line"),
    Table("named", ("lab.named",), ("name",), SHARDS, SUFFIXES, ("name",), _by_name),
)

_SOURCE = {
    "sql_mode": "ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,PAD_CHAR_TO_FULL_LENGTH,HIGH_NOT_PRECEDENCE,REAL_AS_FLOAT",
    "time_zone": "+05:30",
    "binlog_expire_logs_seconds": 3600,
}
_SHARDS: tuple[dict[str, Any], ...] = (
    {"sql_mode": "ANSI,TRADITIONAL,NO_BACKSLASH_ESCAPES,PAD_CHAR_TO_FULL_LENGTH", "time_zone": "-11:00"},
    {"sql_mode": "", "time_zone": "+13:00", "max_allowed_packet": SMALL_PACKET},
)


class HardLab(Lab):
    """`set_hard_values` before anything is written: what was set is put back by leaving it."""

    _kept: dict[str, dict[str, Any]]

    @contextmanager
    def set_hard_values(self) -> Iterator[None]:
        servers = ((self.arena.source, _SOURCE), *zip(self.arena.targets, _SHARDS, strict=True))
        self._kept = {server.name: {name: _global(server, name) for name in hard} for server, hard in servers}
        self._hard = {server.name: hard for server, hard in servers}
        self._set(self._hard)
        try:
            yield
        finally:
            self._set(self._kept)

    def _set(self, settings: dict[str, dict[str, Any]]) -> None:
        for server in (self.arena.source, *self.arena.targets):
            for name, value in settings[server.name].items():
                server.query(f"SET GLOBAL {name} = %s", (value,))

    def tables(self, source: Connection[Cursor]) -> Sequence[Table]:
        return TABLES

    @contextmanager
    def at_ease(self) -> Iterator[None]:
        """Within, new sessions find all servers alike."""
        self._set(self._kept)
        try:
            yield
        finally:
            self._set(self._hard)

    def require_equal(self) -> None:
        with self.at_ease():
            super().require_equal()

    def rows(self, *statements: tuple[str, Sequence[Sequence[object]]]) -> None:
        """One transaction at the source: each statement with each of its rows."""
        with self.arena.source.connect("lab", autocommit=False) as connection, connection.cursor() as cursor:
            for statement, rows in statements:
                for row in rows:
                    cursor.execute(statement, tuple(row))
            connection.commit()


def _global(server: Server, name: str) -> Any:
    return server.query(f"SELECT @@GLOBAL.{name}")[0][0]


def texts(first: int, *, turn: int = 0) -> list[tuple[object, ...]]:
    """A row of `texts` for every value, from `first` on; `turn` gives every row the value of another one."""
    rows = []
    for at in range(len(VALUES)):
        value = VALUES[(at + turn) % len(VALUES)]
        stamp = _STAMPS[at % len(_STAMPS)]
        instant = _INSTANTS[at % len(_INSTANTS)]
        rows.append((first + at, (at + turn) % 4, value, value, BYTES[(at + turn) % len(BYTES)], instant, stamp))
    return rows


_FIRST = (
    -128, -32768, -8388608, -(1 << 63), 255, 65535, 16777215, (1 << 32) - 1, (1 << 64) - 1,
    "-" + "9" * 35 + "." + "9" * 30, 3.4028234663852886e38, -1.7976931348623157e308, 1 << 63, "y", "x,y", "9999-12-31",
    "-838:59:59.000000", "2024-03-10 02:30:00.001", "2024-03-10 02:30:00", "2155", b"\0\xff\0\0", bytes(range(256)),
    bytes.fromhex("000000000101000000000000000000F03F0000000000000040"), "\u20ac\x81ÿß", "中é ", "\uffee中", "~ |", "中文",
)  # fmt: skip
_SECOND = (
    127, 32767, 8388607, (1 << 63) - 1, 0, 0, 0, 0, 0, "0." + "0" * 29 + "1", 1e-45, 5e-324, 0, "x", "", "1000-01-01",
    "00:00:00.000001", "1000-01-01 00:00:00.000", "1970-01-02 00:00:01", "1901", b"", b"",
    bytes.fromhex("000000000101000000000000000000E03F0000000000000040"), "", "", "", "", "",
)  # fmt: skip


def kinds(first: int) -> list[tuple[object, ...]]:
    """Rows of `kinds` from `first` on: values of every type, and none."""
    images = (_FIRST, _SECOND, (None,) * len(_FIRST))
    return [(first + at, (first + at) % 4, *image) for at, image in enumerate(images)]
