"""Tables that together have every type which MariaDB and MySQL share, and rows at the ends of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

Row = tuple[object, ...]

_CHARSETS = {
    "utf8mb4": "👩‍👩‍👧 é e\u0301 \U0010ffff שלום",
    "utf8mb3": "\uffee中é",
    "latin1": "\u20ac\x81ÿß",
    "latin2": "žluť",
    "ascii": "~ |",
    "cp1251": "Привет",
    "koi8r": "Привет",
    "ucs2": "中é",
    "utf16": "👩中",
    "utf32": "👩中",
    "gbk": "中文",
    "gb2312": "中文",
    "cp932": "日本語",
    "sjis": "日本語",
    "euckr": "한국어",
    "big5": "張王十\u7881",
    "ujis": "日本語\\",
    "eucjpms": "①黑～",
    "cp1256": "سلام",
    "cp866": "Привет",
    "greek": "ΑΒΓ",
    "hebrew": "שלום",
    "keybcs2": "žluť",
    "swe7": "Åäö",
}
_HOSTILE = ("", "NULL", "\\N", "a\tb\nc\rd\\e'f\"g", "in\0side", "\x1a", "  spaces  ")
_EVERY_BYTE = bytes(range(256))
_FLAGS = tuple(f"f{number}" for number in range(64))
_POINT = bytes.fromhex("0101000000000000000000F03F0000000000000040")
_LINE = bytes.fromhex("01020000000200000000000000000000000000000000000000000000000000F03F000000000000F03F")


@dataclass(frozen=True)
class Family:
    """A table. `columns`: name -> type; `shown`: an expression over `hole` whose HEX is all of a value; `rows` without
    key and place."""

    name: str
    columns: dict[str, str]
    rows: tuple[Row, ...]
    shown: str = "hole"

    @property
    def create(self) -> str:
        columns = ",\n".join(f"  `{name}` {kind}" for name, kind in self.columns.items())
        return (
            f"CREATE TABLE `{self.name}` (\n  `id` int NOT NULL,\n  `place` int unsigned NOT NULL,\n{columns},\n"
            "  PRIMARY KEY (`id`)\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;\n"
        )

    @property
    def select(self) -> str:
        """Key and place, then all values in hexadecimal."""
        values = (
            "HEX("
            + ("CONCAT(hole * 1e0)" if kind.startswith("float") else self.shown).replace("hole", f"`{name}`")
            + ")"
            for name, kind in self.columns.items()
        )
        return f"SELECT id, place, {', '.join(values)} FROM `{self.name}${{suffix}}`"


def _numbers() -> Family:
    widths = {"tinyint": 8, "smallint": 16, "mediumint": 24, "int": 32, "bigint": 64}
    columns = {f"s{bits}": f"{kind} DEFAULT NULL" for kind, bits in widths.items()}
    columns |= {f"u{bits}": f"{kind} unsigned DEFAULT NULL" for kind, bits in widths.items()}
    columns |= {
        "d65": "decimal(65,30) DEFAULT NULL",
        "d38": "decimal(38,0) DEFAULT NULL",
        "d9": "decimal(9,9) DEFAULT NULL",
    }
    columns |= {"f": "float DEFAULT NULL", "d": "double DEFAULT NULL"}
    bits = tuple(widths.values())
    ends = "9" * 35 + "." + "9" * 30
    return Family(
        "numbers",
        columns,
        (
            (*(-(1 << b - 1) for b in bits), *(0 for _ in bits), f"-{ends}", "-" + "9" * 38, "-0.999999999", -3.4028234663852886e38, -1.7976931348623157e308),
            (*((1 << b - 1) - 1 for b in bits), *((1 << b) - 1 for b in bits), ends, "9" * 38, "0.000000001", 1.401298464324817e-45, 5e-324),
            (*(-1 for _ in bits), *(1 << b - 1 for b in bits), "0." + "0" * 29 + "1", "1", "0", 16777217.0, 0.1 + 0.2),
            (*(0 for _ in bits), *(1 for _ in bits), "0", "0", "-0.000000001", 0.1, 1 / 3),
            (*(7 for _ in bits), *(7 for _ in bits), "-1.5", "-7", "0.5", 1.17549435e-38, 2.2250738585072014e-308),
            (None,) * len(columns),
        ),
        "CONCAT(hole)",
    )  # fmt: skip


def _bits() -> Family:
    sizes = (1, 8, 12, 63, 64)
    columns = {f"b{size}": f"bit({size}) DEFAULT NULL" for size in sizes}
    rows = [
        tuple(value(size) for size in sizes)
        for value in (lambda _: 0, lambda _: 1, lambda n: (1 << n) - 1, lambda n: 1 << n - 1)
    ]
    return Family("bits", columns, (*rows, (None,) * len(sizes)), "hole + 0")  # fmt: skip


def _words() -> Family:
    columns = {
        f"in_{charset}": f"varchar(40) CHARACTER SET {charset} COLLATE {charset}_bin DEFAULT NULL"
        for charset in _CHARSETS
    }
    kinds = ("char(40)", "varchar(400)", "tinytext", "text", "mediumtext", "longtext")
    columns |= {f"w{at}": f"{kind} COLLATE utf8mb4_unicode_520_ci DEFAULT NULL" for at, kind in enumerate(kinds)}
    columns["document"] = (
        "longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL CHECK (json_valid(`document`))"
    )
    own = (*_CHARSETS.values(), *(_CHARSETS["utf8mb4"] for _ in kinds), '{"b": 1,  "a": 1.0, "a": "é\\n👩"}')
    # A backslash in sjis is refused by name: servers and codecs disagree about it.
    hostile = [
        (*(charset if charset == "sjis" else text for charset in _CHARSETS), *(text for _ in kinds), "[]")
        for text in _HOSTILE
    ]
    long = (
        *("x" * 40 for _ in _CHARSETS),
        "é" * 40,
        "👩" * 400,
        "é" * 127,
        "é" * 30_000,
        "中" * 70_000,
        "👩" * 70_000,
        "null",
    )
    return Family("words", columns, (own, *hostile, long, (None,) * len(columns)))  # fmt: skip


def _bytes() -> Family:
    kinds = ("binary(4)", "binary(255)", "varbinary(300)", "tinyblob", "blob", "mediumblob", "longblob")
    columns = {f"b{at}": f"{kind} DEFAULT NULL" for at, kind in enumerate(kinds)}
    rows = (
        (b"a\0\0\0", _EVERY_BYTE[1:], _EVERY_BYTE, _EVERY_BYTE[:255], _EVERY_BYTE, _EVERY_BYTE * 2, _EVERY_BYTE),
        (b"",) * len(kinds),
        (b"\0\0\0\0", b"\0" * 255, b"\0" * 300, b"\0", b"\0", b"\0", b"\0"),
        (b"\\N", b"NULL", b"\\N", b"\t\n\r\x1a\\'\"", b"\xc3\x28", b"  ", b"\xff\xfe"),
        (
            b"    ",
            b"\xff" * 255,
            b"\xff" * 300,
            b"\xff" * 255,
            _EVERY_BYTE * 255,
            _EVERY_BYTE * 400,
            _EVERY_BYTE * 4000,
        ),
        (None,) * len(kinds),
    )
    return Family("bytes", columns, rows)  # fmt: skip


def _times() -> Family:
    columns = {"d": "date DEFAULT NULL", "y": "year DEFAULT NULL"}
    for digits in range(7):
        columns |= {
            f"dt{digits}": f"datetime({digits}) DEFAULT NULL",
            f"ts{digits}": f"timestamp({digits}) NULL DEFAULT NULL",
            f"t{digits}": f"time({digits}) DEFAULT NULL",
        }
    samples = (
        ("2024-02-29", 2155, "2024-02-29 23:59:59.123456", "2038-01-19 03:14:07", "838:59:59"),
        ("0000-00-00", 0, "0000-00-00 00:00:00", "0000-00-00 00:00:00", "-838:59:59"),
        ("2015-00-21", 1901, "2015-00-21 01:02:03.000001", "1970-01-01 00:00:01", "-00:00:00.000001"),
        ("2015-05-00", 1970, "2015-05-00 00:00:00.100000", "1970-01-01 00:00:01.000001", "00:00:00.000001"),
        ("9999-12-31", 2000, "9999-12-31 23:59:58.9", "2026-03-29 01:30:00.5", "-12:34:56.789012"),
        ("1000-01-01", 1999, "0001-01-01 00:00:00.01", "2026-10-25 01:30:00.050", "100:00:00.09"),
    )
    rows = [(date, year, *(stamp, instant, clock) * 7) for date, year, stamp, instant, clock in samples]
    return Family("times", columns, (*rows, (None,) * len(columns)), "CONCAT(hole)")


def _labels() -> Family:
    many = ",".join(f"'m{number}'" for number in range(300))
    flags = ",".join(f"'{flag}'" for flag in _FLAGS)
    columns = {
        "e": "enum('','a''b','c,d','é') COLLATE utf8mb4_bin DEFAULT NULL",
        "m": f"enum({many}) COLLATE utf8mb4_bin DEFAULT NULL",
        "l": "enum('ß','x') CHARACTER SET latin1 COLLATE latin1_bin DEFAULT NULL",
        "s": "set('x','y','ü') COLLATE utf8mb4_bin DEFAULT NULL",
        "w": f"set({flags}) COLLATE utf8mb4_bin DEFAULT NULL",
    }
    rows = (
        ("", "m0", "ß", "", ""),
        ("a'b", "m255", "x", "x", "f0,f63"),
        ("c,d", "m299", "ß", "x,y,ü", ",".join(_FLAGS)),
        ("é", "m256", "x", "ü", "f31,f32"),
        (None,) * len(columns),
    )
    return Family("labels", columns, rows)


def _shapes() -> Family:
    """As the servers hold them: four bytes of reference system, then the well-known binary form."""
    plain, world = bytes(4), (4326).to_bytes(4, "little")
    rows = ((plain + _POINT,), (world + _POINT,), (plain + _LINE,), (None,))
    return Family("shapes", {"g": "geometry DEFAULT NULL"}, rows)


FAMILIES = (_numbers(), _bits(), _words(), _bytes(), _times(), _labels(), _shapes())


def write_schema(file: Path) -> None:
    file.parent.mkdir(exist_ok=True)  # a clone of the repository has no empty folder
    file.write_text("\n".join(family.create for family in FAMILIES), encoding="utf-8")


def number_rows(family: Family, first: int, *, turn: int = 0) -> Iterator[Row]:
    """Rows with keys from `first` on; `turn` gives each the values of another one, and another place."""
    for at in range(len(family.rows)):
        yield (first + at, (first + at + turn) % 4, *family.rows[(at + turn) % len(family.rows)])
