"""One workload over every type, played on a real server: what the recorded messages were recorded from, and what a
log reader is shown for comparison. Each table is filled, every row is updated (column `marker`), then deleted.

`play` returns what the server itself says each change was: the text that SELECT gives before and after it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.binlog.log_source import Row, Source


@dataclass(frozen=True)
class Table:
    name: str
    columns: str
    rows: tuple[tuple[object, ...], ...]
    options: str = "CHARACTER SET utf8mb4"


@dataclass(frozen=True)
class Change:
    """`table` without its database. Images as canonical text, floats as hexadecimal."""

    table: str
    op: str
    before: Row | None
    after: Row | None


_WIDTHS = {"TINYINT": 8, "SMALLINT": 16, "MEDIUMINT": 24, "INT": 32, "BIGINT": 64}


def _integers() -> Table:
    columns = ", ".join(f"s{bits} {name}, u{bits} {name} UNSIGNED" for name, bits in _WIDTHS.items())
    low = [value for bits in _WIDTHS.values() for value in (-(1 << bits - 1), 0)]
    high = [value for bits in _WIDTHS.values() for value in ((1 << bits - 1) - 1, (1 << bits) - 1)]
    middle = [value for bits in _WIDTHS.values() for value in (-1, 1 << bits - 1)]
    rows = [(*low, 2, 1901), (*high, -1, 2155), (*middle, 127, 0), (*[None] * 10, None, None)]
    rows += [(*[(1 << 53) + 1 if bits == 64 else 5 for bits in _WIDTHS.values() for _ in "su"], 1, 1970)]
    return Table("integers", columns + ", b TINYINT(1), y YEAR", tuple(rows))


def _decimals() -> Table:
    shapes = [(65, 30), (65, 0), (38, 30), (10, 2), (9, 9), (1, 0), (20, 11), (5, 2)]
    largest = tuple(("9" * (p - s) or "0") + ("." + "9" * s if s else "") for p, s in shapes)
    rows: list[tuple[object, ...]] = [largest, tuple("-" + text for text in largest), ("0",) * 8, (None,) * 8]
    rows += [tuple("-0." + "0" * (s - 1) + "1" if s else "-1" for _, s in shapes), ("0.5",) * 8]
    return Table("decimals", ", ".join(f"d{p}_{s} DECIMAL({p},{s})" for p, s in shapes), tuple(rows))


def _floats() -> Table:
    values = [0.1, 0.0, 1e-45, 3.4028235e38, 1.17549435e-38, 16777217.0, -1.5, 1e10, 123456.789, 5e-324, 1 / 3,
              1.7976931348623157e308, 2.2250738585072014e-308, 0.1 + 0.2, 9007199254740993.0, None]  # fmt: skip
    rows = [(v if v is None or abs(v) < 3.5e38 else 1.0, v, 1.2345) for v in values]
    return Table("floats", "f FLOAT, d DOUBLE, g FLOAT(7,4)", tuple(rows))


def _times(
    name: str, digits: tuple[int, ...], samples: tuple[tuple[str | None, ...], ...], null: str = "NULL"
) -> Table:
    columns = [f"d DATE {null}"]
    columns += [f"dt{n} DATETIME({n}) {null}, ts{n} TIMESTAMP({n}) {null}" for n in digits]
    rows = tuple((date, *[stamp, instant] * len(digits)) for date, stamp, instant in samples)
    return Table(name, ", ".join(columns), rows)


_SOUND = (
    ("2024-02-29", "2024-02-29 23:59:59.999999", "2038-01-19 03:14:07"),
    ("1970-01-01", "1970-01-01 00:00:00", "1970-01-01 00:00:01"),
    ("1969-12-31", "1969-12-31 23:59:59.000001", "1970-01-01 00:00:01.000001"),
    ("9999-12-31", "9999-12-31 23:59:59.9", "2026-03-29 01:30:00.5"),
    ("1000-01-01", "1000-01-01 00:00:00.01", "2026-10-25 01:30:00.050"),
    ("1582-10-10", "1582-10-10 12:00:00.000100", "2001-09-09 01:46:40.999999"),
    (None, None, None),
)
_ZERO = (
    ("0000-00-00", "0000-00-00 00:00:00", "0000-00-00 00:00:00"),
    ("2015-00-21", "2015-00-21 01:02:03.000001", "1970-01-01 00:00:01"),
    ("2015-05-00", "2015-05-00 00:00:00.100000", "1970-01-01 00:00:01.000001"),
)


def _clocks() -> Table:
    values = ["838:59:59", "-838:59:59", "-00:00:00.000001", "00:00:00.000001", "-12:34:56.789012", "100:00:00.09",
              "-00:00:01.900000", "23:59:59.999999", "00:00:00", "24:00:00", None]  # fmt: skip
    return Table("clocks", ", ".join(f"t{n} TIME({n})" for n in range(7)), tuple((value,) * 7 for value in values))


def _labels() -> Table:
    many = ",".join(f"'m{n}'" for n in range(300))
    flags = ",".join(f"'f{n}'" for n in range(64))
    columns = f"e ENUM('', 'a''b', 'c,d', 'é'), m ENUM({many}), s SET('x','y','ü'), w SET({flags})"
    rows = (("", "m0", "", ""), ("a'b", "m255", "x", "f0,f63"), ("é", "m256", "ü", "f31,f32"), (None,) * 4,
            ("c,d", "m299", "x,y,ü", ",".join(f"f{n}" for n in range(64))))  # fmt: skip
    return Table("labels", columns, rows)


_EVERY = bytes(range(256))
_TEXTS = ("", "NULL", r"\N", "tab\tline\nquote'\"back\\cr\r\x1a", "👩‍👩‍👧‍👦", "\U0010ffff", "é e\u0301", "\u202eשלום",
          "in\0side", "  spaces  ", "\ufffd", "\u2028\x7f")  # fmt: skip

TABLES: tuple[Table, ...] = (
    _integers(),
    _decimals(),
    _floats(),
    _times("times", tuple(range(7)), _SOUND),
    _times("instants", (0, 3, 6), _SOUND[:-1], "NOT NULL DEFAULT '2000-01-01 00:00:00'"),
    _clocks(),
    Table("bits", "b1 BIT(1), b8 BIT(8), b12 BIT(12), b31 BIT(31), b63 BIT(63), b64 BIT(64)",
          ((0,) * 6, (1,) * 6, (1, 255, 4095, 2**31 - 1, 2**63 - 1, 2**64 - 1), (1, 128, 2048, 2**30, 2**62, 2**63), (None,) * 6)),
    _labels(),
    Table("bytes", "b BINARY(4), v VARBINARY(300), tb TINYBLOB, bl BLOB, lb LONGBLOB",
          ((b"a\0\0\0", _EVERY, b"\0", b"\0\0", _EVERY), (b"", b"", b"", b"", b""),
           (b"\0\0\0\1", b"\xff" * 3, b" ", b"\xff\xfe", b"\xc3\xa9"), (None,) * 5)),
    Table("texts", "c CHAR(60), v VARCHAR(60), t TEXT, l LONGTEXT, j JSON",
          (*((text, text, text, text * 3, '{"b": 1, "a": 1.0, "n": 9007199254740993}') for text in _TEXTS), (None,) * 5)),
    Table("latin", "v VARCHAR(200)", ((_EVERY[32:128].decode(),), (_EVERY[160:].decode("latin-1"),), ("€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ",)),
          "CHARACTER SET latin1"),
    Table("odd_latin", "v VARBINARY(3)", ((b"\x80x",), (b"\x81x",), (b"\x9dx",)), "CHARACTER SET latin1"),
    Table("places", "g GEOMETRY, p POINT", ()),
    Table("computed", "a INT, v INT AS (a + 1) VIRTUAL, s VARCHAR(20) AS (CONCAT('x', a)) STORED, z INT",
          ((1, 5), (None, None), (-7, 0))),
    Table("defaults", "a INT DEFAULT 5, t VARCHAR(9) DEFAULT 'none', z INT", ((None, None, 1), (5, "none", 2), (7, "x", None))),
    _times("zero_dates", (0, 3, 6), _ZERO),
    _times("zero_instants", (0, 3, 6), _ZERO, "NOT NULL DEFAULT '2000-01-01 00:00:00'"),
)  # fmt: skip

_SHAPES = ("POINT(1 2)", "LINESTRING(0 0,1 1)", "POLYGON((0 0,4 0,4 4,0 0))", "MULTIPOINT(1 1,2 2)",
           "GEOMETRYCOLLECTION(POINT(1 1),LINESTRING(0 0,1 1))")  # fmt: skip
END = "the_end"


def create(source: Source) -> None:
    for table in TABLES:
        source.run(
            f"CREATE OR REPLACE TABLE `{table.name}` (id INT PRIMARY KEY, marker INT DEFAULT 0, {table.columns}) {table.options}"
        )
    source.run("ALTER TABLE odd_latin MODIFY v VARCHAR(3) CHARACTER SET latin1")
    source.run(
        "CREATE OR REPLACE TABLE moved (id INT PRIMARY KEY, v INT)",
        "CREATE OR REPLACE TABLE other (id INT PRIMARY KEY)",
    )
    source.run(
        f"CREATE OR REPLACE TABLE {END} (id INT PRIMARY KEY)", "CREATE OR REPLACE TABLE gone (id INT PRIMARY KEY)"
    )


def play(source: Source) -> list[Change]:
    """Changes every table, with rows of tables nobody follows, DDL and a TRUNCATE in between; the last change is
    END's."""
    found: list[Change] = []
    for table in TABLES:
        _insert(source, table)
        inserted = source.select(table.name)
        source.run(f"UPDATE `{table.name}` SET marker = 1 ORDER BY id")
        updated = source.select(table.name)
        source.run(f"DELETE FROM `{table.name}` ORDER BY id")
        found += [Change(table.name, "I", None, row) for row in inserted]
        found += [Change(table.name, "U", *pair) for pair in zip(inserted, updated, strict=True)]
        found += [Change(table.name, "D", row, None) for row in updated]
    source.run(
        "INSERT INTO other VALUES (1)",
        "INSERT INTO moved VALUES (1, 1), (2, 2)",
        "UPDATE moved SET id = 3 WHERE id = 1",
    )
    found += [Change("moved", "I", None, (key, key)) for key in ("1", "2")] + [
        Change("moved", "U", ("1", "1"), ("3", "1"))
    ]
    source.run(
        "INSERT INTO gone VALUES (1)",
        "TRUNCATE TABLE gone",
        "CREATE TABLE later (id INT PRIMARY KEY)",
        "DROP TABLE later",
    )
    source.run(f"INSERT INTO {END} VALUES (1)")
    return found


def _insert(source: Source, table: Table) -> None:
    names = ", ".join(f"`{column.name}`" for column in source.columns(table.name)[2:] if not column.generated)
    statements: list[str | tuple[str, Any]] = []
    for number, row in enumerate(table.rows, 1):
        marks = ", ".join(["%s"] * len(row))
        statements.append((f"INSERT INTO `{table.name}` (id, {names}) VALUES ({number}, {marks})", row))
    if table.name == "odd_latin":
        statements = [f"INSERT INTO odd_latin (id, v) VALUES ({n}, _latin1 x'{row[0].hex()}')"  # type: ignore[attr-defined]
                      for n, row in enumerate(table.rows, 1)]  # fmt: skip
    if table.name == "places":
        statements = [f"INSERT INTO places (id, g, p) VALUES ({n}, ST_GeomFromText('{shape}', {n % 2 * 4326}), POINT({n}, -1))"
                      for n, shape in enumerate(_SHAPES)]  # fmt: skip
        statements.append("INSERT INTO places (id, g, p) VALUES (99, NULL, NULL)")
    source.run(*statements)
