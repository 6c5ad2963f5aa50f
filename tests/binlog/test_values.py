"""The type catalogue: what the log gives for a value is the text that SELECT gives (contract C12, hazard B10)."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator, Sequence
from ipaddress import IPv4Address, IPv6Address
from itertools import islice, product

import pytest

from shardwright.compiler.expressions.canonical import canonical
from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.binlog.charsets import CHARSETS
from tests.binlog.log_source import Row, Source

pytestmark = pytest.mark.server


def check(source: Source, table: str, columns: str, rows: Sequence[Sequence[object]], options: str = "") -> list[Row]:
    """Inserts the rows, compares; then updates and deletes every row and compares those images too."""
    source.run(f"CREATE OR REPLACE TABLE `{table}` (id INT PRIMARY KEY, marker INT DEFAULT 0, {columns}) {options}")
    start = source.head()
    marks = ", ".join(["%s"] * len(rows[0]))
    names = ", ".join(f"`{column.name}`" for column in source.columns(table)[2:] if not column.generated)
    source.run(*((f"INSERT INTO `{table}` (id, {names}) VALUES ({n}, {marks})", row) for n, row in enumerate(rows, 1)))
    inserted = source.select(table)
    source.run(f"UPDATE `{table}` SET marker = 1 ORDER BY id")
    updated = source.select(table)
    source.run(f"DELETE FROM `{table}` ORDER BY id")
    changes = source.changes(start, table)
    assert [change["after"] for change in changes if change["op"] == "I"] == inserted
    updates = [change for change in changes if change["op"] == "U"]
    assert [change["before"] for change in updates] == inserted
    assert [change["after"] for change in updates] == updated
    assert [change["before"] for change in changes if change["op"] == "D"] == updated
    assert len(changes) == 3 * len(rows)
    return inserted


def test_c1_c3_integers_of_all_widths(source: Source) -> None:
    widths = {"TINYINT": 8, "SMALLINT": 16, "MEDIUMINT": 24, "INT": 32, "BIGINT": 64}
    columns = ", ".join(f"s{bits} {name}, y{bits} YEAR, u{bits} {name} UNSIGNED" for name, bits in widths.items())

    def row(signed: str, unsigned: str, year: object) -> list[object]:
        cases = {"min": lambda b: -(1 << b - 1), "max": lambda b: (1 << b - 1) - 1, "zero": lambda b: 0,
                 "half": lambda b: 1 << b - 1, "all": lambda b: (1 << b) - 1, "minus": lambda b: -1}  # fmt: skip
        return [v for bits in widths.values() for v in (cases[signed](bits), year, cases[unsigned](bits))]

    rows = [row("min", "zero", 1901), row("max", "all", 2155), row("minus", "half", 0), row("zero", "max", 1970)]
    rows.append([None] * len(rows[0]))
    inserted = check(source, "integers", columns, rows)
    assert inserted[1][-1] == str(2**64 - 1)


def test_c4_decimals(source: Source) -> None:
    shapes = [(65, 30), (65, 0), (38, 38), (39, 0), (10, 2), (9, 9), (1, 0), (1, 1), (18, 9), (20, 11), (5, 2)]
    if source.is_mysql:  # whose largest scale is 30
        shapes = [(p, s) for p, s in shapes if s <= 30] + [(38, 30)]
    columns = ", ".join(f"d{p}_{s} DECIMAL({p},{s})" for p, s in shapes)
    largest = [("9" * (p - s) or "0") + ("." + "9" * s if s else "") for p, s in shapes]
    rows: list[list[object]] = [largest, ["-" + text for text in largest], ["0"] * len(shapes), ["-0.0"] * len(shapes)]
    rows += [[None] * len(shapes), ["0.1"] * len(shapes), ["-0.000000001"] * len(shapes), ["1"] * len(shapes)]
    seeded = random.Random(4)
    for _ in range(60):
        rows.append([f"{seeded.choice(['', '-'])}{seeded.randrange(10 ** max(p - s, 1)) if p > s else 0}"
                     f".{seeded.randrange(10 ** s) if s else 0:0{s}d}" for p, s in shapes])  # fmt: skip
    check(source, "decimals", columns, rows)


def test_c5_floats_bit_equal(source: Source) -> None:
    values = [0.1, -0.0, 1e-45, 3.4028235e38, 1.17549435e-38, 16777217.0, -1.5, 1e10, 123456.789, 5e-324,
              1.7976931348623157e308, 2.2250738585072014e-308, 0.1 + 0.2, 1 / 3, None]  # fmt: skip
    rows = [(value if value is None or abs(value) < 3.5e38 else 1.0, value, 1.2345) for value in values]
    inserted = check(source, "floats", "f FLOAT, d DOUBLE, g FLOAT(7,4)", rows)
    assert inserted[0][2] == struct.unpack("f", struct.pack("f", 0.1))[0].hex()


def test_c5_negative_zero_is_what_the_server_says(source: Source) -> None:  # -0 on MySQL; MariaDB stores 0
    source.run("CREATE OR REPLACE TABLE zeros (id INT PRIMARY KEY, d DOUBLE, f FLOAT)")
    start = source.head()
    source.run("INSERT INTO zeros VALUES (1, '-0', '-0')")
    (change,) = source.changes(start, "zeros")
    assert [change["after"]] == source.select("zeros")


def test_c6_c8_c9_c10_c11_dates_and_times(source: Source) -> None:
    columns = ["d DATE", "y YEAR"]
    columns += [f"dt{n} DATETIME({n}), ts{n} TIMESTAMP({n}) NULL, t{n} TIME({n})" for n in range(7)]
    samples = [
        ("2024-02-29", 2155, "2024-02-29 23:59:59.999999", "2038-01-19 03:14:07", "838:59:59"),
        ("0000-00-00", 0, "0000-00-00 00:00:00", "0000-00-00 00:00:00", "-838:59:59"),
        ("2015-00-21", 1901, "2015-00-21 01:02:03.000001", "1970-01-01 00:00:01", "-00:00:00.000001"),
        ("2015-05-00", 1970, "2015-05-00 00:00:00.100000", "1970-01-01 00:00:01.000001", "00:00:00.000001"),
        ("9999-12-31", 2000, "9999-12-31 23:59:59.9", "2026-03-29 01:30:00.5", "-12:34:56.789012"),
        ("1000-01-01", 1999, "0001-01-01 00:00:00.01", "2026-10-25 01:30:00.050", "100:00:00.09"),
        ("1970-01-01", 1970, "1970-01-01 00:00:00", "2001-09-09 01:46:40.999999", "-00:00:01.900000"),
        (None, None, None, None, None),
    ]
    rows = [(date, year, *[stamp, instant, clock] * 7) for date, year, stamp, instant, clock in samples]
    inserted = check(source, "times", ", ".join(columns), rows)
    assert inserted[1][2] == "0000-00-00" and inserted[1][3] == "0000"


def test_c12_bits(source: Source) -> None:
    columns = "b1 BIT(1), b8 BIT(8), b12 BIT(12), b63 BIT(63), b64 BIT(64)"
    rows = [(0, 0, 0, 0, 0), (1, 1, 1, 1, 1), (1, 255, 4095, 2**63 - 1, 2**64 - 1), (1, 128, 2048, 2**62, 2**63)]
    check(source, "bits", columns, [*rows, (None,) * 5])


def test_c13_c14_enum_and_set_by_label(source: Source) -> None:
    many = ",".join(f"'m{n}'" for n in range(300))
    flags = ",".join(f"'f{n}'" for n in range(64))
    columns = f"e ENUM('', 'a''b', 'c,d', 'é') , m ENUM({many}), s SET('x','y','ü'), w SET({flags})"
    rows = [("", "m0", "", ""), ("a'b", "m255", "x", "f0,f63"), ("c,d", "m299", "x,y,ü", ",".join(f"f{n}" for n in range(64))),
            ("é", "m256", "ü", "f31,f32"), ("not a member", "no", "y", "f7"), (None, None, None, None)]  # fmt: skip
    inserted = check(source, "labels", columns, rows)
    assert inserted[0][4] == "" and inserted[5][4] is None


def test_c17_c18_binary_bytes(source: Source) -> None:
    columns = "b BINARY(4), w BINARY(255), v VARBINARY(300), s VARBINARY(20), tb TINYBLOB, bl BLOB, mb MEDIUMBLOB, lb LONGBLOB"
    everything = bytes(range(256))
    rows = [(b"a\0\0\0", everything[:255], everything, b"\0", b"\0\0", everything, everything * 2, b""),
            (b"", b"", b"", b"", b"", b"", b"", b"x"), (b"\0\0\0\0", b"\xff", b"\0" * 300, b" ", b"\xff\xfe", b" ", b"\0", b"\0"),
            (None,) * 8]  # fmt: skip
    inserted = check(source, "bytes", columns, rows)
    assert inserted[0][2] == "61000000" and inserted[0][4] == everything.hex().upper()


def test_c18_value_of_16_megabytes_and_one(source: Source) -> None:
    source.run("CREATE OR REPLACE TABLE large (id INT PRIMARY KEY, b LONGBLOB)")
    start = source.head()
    source.run("INSERT INTO large VALUES (1, REPEAT('z', 16 * 1024 * 1024 + 1))")
    (change,) = source.changes(start, "large")
    assert change["after"] == ("1", "7A" * (16 * 1024 * 1024 + 1))


def test_c19_c24_c25_text(source: Source) -> None:
    columns = "c CHAR(200), v VARCHAR(70), w VARCHAR(40), t TEXT, l LONGTEXT, " + (
        "j LONGTEXT" if source.is_mysql else "j JSON"
    )
    texts = [
        "",
        "NULL",
        r"\N",
        "tab\tline\nquote'\"back\\cr\r\x1a",
        "👩‍👩‍👧‍👦",
        "\U0010ffff",
        "é e\u0301",
        "\u202eשלום",
        "in\0side",
        "  spaces  ",
    ]
    rows = [(text, text, text[:40], text, text * 50, '{"b": 1, "a": 1.0}') for text in texts]
    inserted = check(source, "texts", columns, [*rows, (None,) * 6], "CHARACTER SET utf8mb4")
    assert inserted[0][2] == "" and inserted[10][2] is None and inserted[0][7] == '{"b": 1, "a": 1.0}'


def test_c20_c22_latin1_keeps_every_byte(source: Source) -> None:
    source.run("CREATE OR REPLACE TABLE latin (id INT PRIMARY KEY, v VARCHAR(10)) CHARACTER SET latin1")
    start = source.head()
    source.run(*(f"INSERT INTO latin VALUES ({byte}, _latin1 x'78{byte:02x}78')" for byte in range(256)))
    source.run("INSERT INTO latin VALUES (1000, _latin1 x'c3a9')")  # UTF-8 bytes in a latin1 column stay what they are
    assert [change["after"] for change in source.changes(start, "latin")] == source.select("latin")


SAMPLES = [
    "plain",
    "žluť",
    "Привет",
    "中文字",
    "日本語テキスト",
    "한국어",
    "ไทย",
    "ąęļ",
    "Üé",
    "張十王",
    "שלום",
    "سلام",
    "ΑΒΓ",
]


@pytest.mark.parametrize("charset", sorted(CHARSETS.keys() - {"utf8", "utf8mb4", "latin1"}))
def test_c21_charsets_with_a_proved_codec(source: Source, charset: str) -> None:
    if charset == "gb18030":
        source.needs_mysql("gb18030")
    table = f"cs_{charset}"
    source.run(
        f"CREATE OR REPLACE TABLE {table} (id INT PRIMARY KEY, v VARCHAR(40), c CHAR(9)) CHARACTER SET {charset}"
    )
    start = source.head()
    source.run(*((f"INSERT INTO {table} VALUES ({n}, %s, LEFT(%s, 9))", (s, s)) for n, s in enumerate(SAMPLES)))
    assert [change["after"] for change in source.changes(start, table)] == source.select(table)


def _codes(charset: str, widest: int) -> Iterator[bytes]:
    """All bytes that may be one character of the set; of four bytes some of each lead byte."""
    high = range(0x80, 0x100)
    yield from (bytes([one]) for one in range(0x100))
    if widest > 1:
        yield from (bytes([one, two]) for one in high for two in range(0x100))
    if widest == 3:
        yield from (bytes([0x8F, one, two]) for one in range(0xA1, 0xFF) for two in range(0xA1, 0xFF))
    if widest == 4:
        fours = product(range(0x81, 0x85), range(0x30, 0x3A), range(0x81, 0xFF), range(0x30, 0x3A))
        more = product(range(0x90, 0xE4), range(0x30, 0x3A), range(0x81, 0xFF, 25), (0x30, 0x39))
        yield from map(bytes, (*fours, *more))


def test_n33_every_character_set_of_the_server_is_read_as_the_server_converts_it(source: Source) -> None:
    """Over all code points. What is not read the server loses, or is one that we refuse by name."""
    with source.session() as connection, connection.cursor() as cursor:
        cursor.execute("SHOW CHARACTER SET")
        sets = {str(name): int(widest) for name, *_, widest in cursor.fetchall() if name != "binary"}
        assert set(sets) <= set(CHARSETS)
        for name in sorted(set(sets) - {"utf8mb3", "utf8mb4", "utf16", "utf16le", "utf32", "ucs2"}):
            cursor.execute("DROP TABLE IF EXISTS n33")
            cursor.execute(f"CREATE TABLE n33 (b VARBINARY(4), c VARCHAR(4) CHARACTER SET {name})")
            codes = _codes(name, sets[name])
            while some := [*islice(codes, 4000)]:
                cursor.execute("INSERT INTO n33 (b) VALUES " + ",".join(f"(x'{code.hex()}')" for code in some))
            cursor.execute("UPDATE IGNORE n33 SET c = b")
            cursor.execute(
                "SELECT b, HEX(CONVERT(c USING utf32)) FROM n33 WHERE CAST(c AS BINARY) = b AND c IS NOT NULL"
            )
            decode, rows = CHARSETS[name].decode, cursor.fetchall()
            assert len(rows) >= 128
            for code, utf32 in rows:
                wanted = bytes.fromhex(utf32).decode("utf-32-be", "surrogatepass")
                try:
                    found: str | None = decode(code)
                except UnicodeDecodeError:
                    found = None
                lost = wanted.strip("?") in ("", "\ufffd") or (name, code) == ("sjis", b"\x81\x5f")
                assert found == wanted or (found is None and lost), (name, code, found, wanted)


def test_n33_texts_with_characters_that_python_maps_otherwise_are_read_whole() -> None:
    assert CHARSETS["big5"].decode("張十\u7881x".encode("big5", "ignore") + b"\xf9\xd6") == "張十x\u7881"
    with pytest.raises(UnicodeDecodeError):
        CHARSETS["big5"].decode(b"\xa4\x51\xa2\xcc")
    with pytest.raises(UnicodeDecodeError):
        CHARSETS["ujis"].decode(b"a\x8f\xa1")
    assert CHARSETS["ujis"].decode(b"\xa1\xc0\x8f\xfe\xfea") == "\\\ue757a"
    assert CHARSETS["eucjpms"].decode(b"\xad\xa1\x8f\xf4\xfe\xa1\xc1") == "①黑～"
    assert CHARSETS["gb18030"].decode(b"\xa8\xbc\x81\x35\xf4\x37a") == "\u1e3f\ue7c7a"


def test_c23_spatial(source: Source) -> None:
    source.run("CREATE OR REPLACE TABLE places (id INT PRIMARY KEY, g GEOMETRY, p POINT)")
    start = source.head()
    shapes = ["POINT(1 2)", "LINESTRING(0 0,1 1)", "POLYGON((0 0,4 0,4 4,0 0))", "MULTIPOINT(1 1,2 2)",
              "GEOMETRYCOLLECTION(POINT(1 1),LINESTRING(0 0,1 1))"]  # fmt: skip
    source.run(
        *(
            f"INSERT INTO places VALUES ({n}, ST_GeomFromText('{shape}', 4326), POINT({n}, -1))"
            for n, shape in enumerate(shapes)
        )
    )
    source.run("INSERT INTO places VALUES (99, NULL, NULL)")
    assert [change["after"] for change in source.changes(start, "places")] == source.select("places")


def test_c30_addresses_as_the_server_prints_them(source: Source) -> None:
    source.needs_mariadb("UUID, INET4, INET6", since=(10, 10))
    dice = random.Random(30)
    words = [0, 0, 0, 0, 1, 0xFFFF, 0x0100]

    def octets(size: int) -> bytes:
        return b"".join(dice.choice([*words, dice.randrange(0x10000)]).to_bytes(2, "big") for _ in range(size // 2))

    def key() -> str:
        digits = list(octets(16).hex())
        digits[16] = dice.choice("9ab") if digits[12] in "89abcdef" else digits[16]
        return "".join(digits)

    rows: list[Sequence[object]] = [
        (key(), str(IPv6Address(octets(16))), str(IPv4Address(octets(4)))) for _ in range(400)
    ]
    rows += [("0" * 32, "::", "0.0.0.0"), ("f" * 32, "::ffff:0.0.0.1", "255.255.255.255"), (None, None, None)]
    rows += [("123E4567-e89b-12d3-a456-426655440000", "::1.2.3.4", "10.0.0.0"), ("0" * 31 + "1", "::1:0", "0.0.0.1")]
    rows += [
        ("018f4567-e89b-72d3-a456-426655440000", "1:0:2::3:0:4", "0.0.0.32"),
        ("0" * 30 + "20", "::20", "32.32.32.32"),
    ]
    inserted = check(source, "addresses", "u UUID, v6 INET6, v4 INET4", rows)
    assert [row[3:] for row in inserted if row[2] == "123e4567-e89b-12d3-a456-426655440000"] == [
        ("::1.2.3.4", "10.0.0.0")
    ]
    for kind, shown in zip(("uuid", "inet6", "inet4"), zip(*(row[2:] for row in inserted), strict=True), strict=True):
        texts = [text for text in shown if text is not None]
        assert [canonical(text.upper(), ColumnType(kind)) for text in texts] == texts, kind


def test_c30_a_column_that_has_become_another_address(source: Source) -> None:
    source.needs_mariadb("UUID, INET4, INET6", since=(10, 10))
    source.run("CREATE OR REPLACE TABLE other_address (id INT PRIMARY KEY, a INET4)")
    start = source.head()
    source.run("INSERT INTO other_address VALUES (1, '1.2.3.4')", "ALTER TABLE other_address MODIFY a INET6")
    with pytest.raises(
        Refused, match=r"SW8113: column a of table shop.other_address.*room for 4 bytes, inet6 takes 16"
    ):
        source.changes(start, "other_address")


def test_c30_vectors(source: Source) -> None:
    source.needs_mysql("VECTOR")
    largest = struct.pack("<3f", 3.4028234663852886e38, -0.0, 1e-45)
    rows: list[Sequence[object]] = [(largest, struct.pack("<2048f", *range(2048))), (struct.pack("<f", 1.5), None)]
    inserted = check(source, "vectors", "v VECTOR(3), w VECTOR", rows)
    assert inserted[0][2] == largest.hex().upper() == canonical(f"0x{largest.hex()}", ColumnType("vector", length=3))


def test_c26_boolean_keeps_its_number(source: Source) -> None:
    check(source, "bools", "b BOOLEAN, t TINYINT(1)", [(True, 2), (False, -1), (1, 127), (None, None)])


def test_c27_generated_columns(source: Source) -> None:
    source.needs_generated_columns()
    columns = "a INT, v INT AS (a + 1) VIRTUAL, s VARCHAR(20) AS (CONCAT('x', a)) STORED, z INT"
    check(source, "computed", columns, [(1, 5), (None, None), (-7, 0)])


def test_c27_the_log_has_stored_values_in_every_image(source: Source) -> None:
    """Also where a statement names none of the columns that they are computed from, and after generated columns came
    and went. A row filter reads them there."""
    source.needs_generated_columns()
    source.run(
        "CREATE OR REPLACE TABLE filtered (id INT PRIMARY KEY, a INT, t TEXT, s INT AS (a * 2) STORED, "
        "v TEXT AS (CONCAT(t, '!')) VIRTUAL, w VARCHAR(9) AS (LEFT(t, 3)) STORED, z INT)"
    )

    def followed(*statements: str) -> None:
        before = {row[0]: row for row in source.select("filtered")}
        start = source.head()
        source.run(*statements)
        seen = {row[0]: row for row in source.select("filtered")}
        for change in source.changes(start, "filtered"):
            if change["before"] is not None:
                assert change["before"] == before.pop(change["before"][0])
            if change["after"] is not None:
                before[change["after"][0]] = change["after"]
        assert before == seen

    followed(
        "INSERT INTO filtered (id, a, t, z) VALUES (1, 1, REPEAT('x', 70000), 1), (2, NULL, NULL, 2), (3, 3, 'c', 3)"
    )
    followed("UPDATE filtered SET z = z + 1")
    followed("INSERT INTO filtered (id, a) VALUES (1, 5) ON DUPLICATE KEY UPDATE z = 7, a = 9")
    followed("REPLACE INTO filtered (id, a, t) VALUES (2, 8, 'new')", "UPDATE filtered SET id = 9 WHERE id = 3")
    source.run(
        "ALTER TABLE filtered DROP v, ADD u INT AS (z - 1) VIRTUAL AFTER id, ADD y INT AS (s + 1) STORED AFTER s"
    )
    followed("UPDATE filtered SET z = 4 WHERE id = 1", "INSERT INTO filtered (id, a) VALUES (5, 6)")
    followed("UPDATE filtered JOIN (SELECT 1 AS one) AS j SET a = one", "DELETE FROM filtered WHERE id > 1")


def test_c29_many_columns(source: Source) -> None:
    names = ", ".join(f"c{n} {'INT' if n % 9 else 'VARCHAR(5)'}" for n in range(1000))
    check(source, "wide", names, [[n % 10 if n % 7 else None for n in range(1000)], [None] * 1000])
