"""The parts of the log reader that need no server: positions, checksums, offsets, statements, generated decoders."""

from __future__ import annotations

import struct
import zlib

import pytest

from shardwright.compiler.plan.catalogue import Column, ColumnType
from shardwright.runtime.failures import Refused
from shardwright.runtime.sources.binlog.before_columns import BeforeColumns
from shardwright.runtime.sources.binlog.dump import EventStream
from shardwright.runtime.sources.binlog.events import ARTIFICIAL_FLAG, HEADER, HEADER_SIZE, Kind
from shardwright.runtime.sources.binlog.fields import field_of
from shardwright.runtime.sources.binlog.row_decoder import build_decoder
from shardwright.runtime.sources.binlog.statements import Effect, Statements
from shardwright.runtime.sources.positions.log_position import LogPosition


def packet(kind: int, body: bytes, log_pos: int, *, flags: int = 0) -> bytes:
    header = HEADER.pack(1_700_000_000, kind, 1, HEADER_SIZE + len(body) + 4, log_pos, flags)
    return header + body + struct.pack("<I", zlib.crc32(header + body))


def test_e9_positions_order_by_number_not_by_text() -> None:
    assert LogPosition("binlog.999999", 10**9) < LogPosition("binlog.1000000", 4)
    assert LogPosition("binlog.000002", 5) > LogPosition("binlog.000002", 4)
    assert LogPosition.from_json(LogPosition("a.b.000007", 4).to_json()) == LogPosition("a.b.000007", 4)
    with pytest.raises(ValueError, match="different logs"):
        assert LogPosition("binlog.000001", 4) < LogPosition("mysql-bin.000001", 5)
    with pytest.raises(ValueError, match="must end in a number"):
        LogPosition("binlog", 4)


def test_e13_every_flipped_bit_is_found() -> None:
    good = packet(Kind.XID, b"\x01\0\0\0\0\0\0\0", 100 + 31)
    event = EventStream(LogPosition("binlog.000001", 100)).accept(good)
    assert event is not None and (event.start, event.end) == (100, 131)
    for bit in range(8 * len(good)):
        bad = bytearray(good)
        bad[bit // 8] ^= 1 << bit % 8
        stream = EventStream(LogPosition("binlog.000001", 100))
        if bit // 8 == 4 and bad[4] in (Kind.HEARTBEAT, Kind.HEARTBEAT_V2):
            continue
        try:
            found = stream.accept(bytes(bad))
        except Refused as refused:
            assert refused.code in ("SW8115", "SW8116")
        else:
            pytest.fail(f"bit {bit}: {found}")


def test_e10_offsets_beyond_four_gigabytes_do_not_wrap() -> None:
    stream = EventStream(LogPosition("binlog.000001", 2**32 - 10))
    event = stream.accept(packet(Kind.XID, bytes(8), (2**32 - 10 + 31) & 0xFFFF_FFFF))
    assert event is not None and (event.start, event.end) == (2**32 - 10, 2**32 + 21)
    following = stream.accept(packet(Kind.XID, bytes(8), 21 + 31))
    assert following is not None and following.start == 2**32 + 21


def test_e9_events_of_a_transaction_that_say_no_position_are_one_behind_the_other() -> None:
    """MariaDB since 11.4. They were taken for events that are not in the log, so that no row of it was applied."""
    stream = EventStream(LogPosition("binlog.000001", 500))
    rows = [stream.accept(packet(kind, bytes(8), 0)) for kind in (Kind.ANNOTATE_ROWS, Kind.TABLE_MAP, Kind.XID)]
    assert [(event.start, event.end) for event in rows if event is not None] == [(500, 531), (531, 562), (562, 593)]
    last = stream.accept(packet(Kind.XID, bytes(8), 593 + 31))
    assert last is not None and (last.start, last.end) == (593, 624)


def test_e9_artificial_events_do_not_move_the_position_backwards() -> None:
    stream = EventStream(LogPosition("binlog.000001", 500))
    rotate = struct.pack("<Q", 4) + b"binlog.000002"
    assert stream.accept(packet(Kind.HEARTBEAT, b"binlog.000001", 500)) is None
    assert stream.accept(packet(Kind.ROTATE, rotate, 0, flags=ARTIFICIAL_FLAG)) is None
    event = stream.accept(packet(Kind.XID, bytes(8), 4 + 31))
    assert event is not None and (event.file, event.start) == ("binlog.000002", 4)
    with pytest.raises(Refused, match="SW8116"):
        stream.accept(packet(Kind.XID, bytes(8), 30))


@pytest.mark.parametrize(
    ("database", "text", "effect"),
    [
        ("shop", "BEGIN", Effect.BEGIN),
        ("shop", "COMMIT", Effect.COMMIT),
        ("shop", "/* x */ ROLLBACK", Effect.ROLLBACK),
        ("shop", "ROLLBACK TO `s`", Effect.PARTIAL_ROLLBACK),
        ("shop", "SAVEPOINT `orders`", Effect.NONE),
        ("shop", "insert into t values (1)", Effect.CHANGES_ROWS),
        ("other", "insert into shop.orders values (1)", Effect.CHANGES_ROWS),
        ("other", "insert into t values (1)", Effect.NONE),
        ("other", "ANALYZE FORMAT=JSON UPDATE shop.orders SET a = 1", Effect.CHANGES_TABLE),
        ("other", "ALTER TABLE orders ADD c INT", Effect.NONE),
        ("other", "ALTER TABLE `Shop`.`ORDERS` ADD c INT", Effect.CHANGES_TABLE),
        ("SHOP", "alter\ntable\norders add c int", Effect.CHANGES_TABLE),
        ("shop", "ALTER TABLE orders_old ADD c INT", Effect.NONE),
        ("shop", "ALTER TABLE x RENAME TO orders", Effect.CHANGES_TABLE),
        ("shop", "ALTER TABLE orders AUTO_INCREMENT = 5000, ALGORITHM=INPLACE", Effect.NONE),
        ("other", "ALTER TABLE `shop`.`orders` AUTO_INCREMENT=5000", Effect.NONE),
        ("shop", "ALTER TABLE orders AUTO_INCREMENT = 5000, ADD COLUMN c INT", Effect.CHANGES_TABLE),
        ("shop", "ALTER TABLE orders AUTO_INCREMENT = 5000 /*!90000 , DROP COLUMN c */", Effect.CHANGES_TABLE),
        ("shop", "ALTER TABLE p EXCHANGE PARTITION q WITH TABLE orders", Effect.CHANGES_TABLE),
        ("shop", "# note\nDROP TABLE a, b, `orders`", Effect.CHANGES_TABLE),
        ("shop", "-- note\nTRUNCATE orders", Effect.CHANGES_TABLE),
        ("shop", "/*M!100100 DROP TABLE orders */", Effect.CHANGES_TABLE),
        ("shop", "DROP /*!40005 TEMPORARY */ TABLE IF EXISTS `orders`", Effect.NONE),
        ("shop", "CREATE DEFINER=`a b`@`%` TRIGGER t BEFORE INSERT ON orders FOR EACH ROW SET @a=1", Effect.NONE),
        ("shop", "CREATE TABLE IF NOT EXISTS other.copy LIKE orders", Effect.NONE),
        ("shop", "CREATE TABLE `orders`(id INT)", Effect.CHANGES_TABLE),
        ("other", "CREATE TABLE shop . orders (id INT)", Effect.CHANGES_TABLE),
        ("shop", 'CREATE TABLE "orders" (id INT)', Effect.CHANGES_TABLE),
        ("shop", "ALTER TABLE `we``ird` FORCE", Effect.CHANGES_TABLE),
        ("shop", "DROP DATABASE `shop`", Effect.CHANGES_TABLE),
        ("shop", "DROP SCHEMA IF EXISTS other", Effect.NONE),
        ("shop", "UNKNOWN VERB ON orders", Effect.CHANGES_TABLE),
        ("shop", "", Effect.NONE),
    ],
)
def test_e17_e19_statements_are_recognised(database: str, text: str, effect: Effect) -> None:
    statements = Statements(["shop.orders", "shop.we`ird"])
    assert statements.effect(database, text.encode()) is effect


def test_c2_signedness_comes_from_the_catalogue() -> None:
    fields = [
        field_of(8, b"", Column("u", ColumnType("bigint", unsigned=True), nullable=False)),
        field_of(8, b"", Column("s", ColumnType("bigint"), nullable=False)),
        field_of(5, b"\x08", Column("d", ColumnType("double"), nullable=True)),
    ]
    decoder = build_decoder(("u", "s", "d"), tuple(fields))
    image = b"\0" + b"\xff" * 16 + struct.pack("<d", -0.0)
    assert decoder.read_image(image, 0) == (len(image), ("18446744073709551615", "-1", "-0.0"))
    assert decoder.read_image(b"\x06" + b"\xff" * 8, 0) == (9, ("18446744073709551615", None, None))


def test_the_generated_decoder_names_the_column_at_fault() -> None:
    columns = [
        Column("n", ColumnType("int"), nullable=True),
        Column("v", ColumnType("varchar", charset="utf8mb4"), nullable=True),
    ]
    decoder = build_decoder(("n", "v"), (field_of(3, b"", columns[0]), field_of(15, b"\x28\0", columns[1])))
    with pytest.raises(UnicodeDecodeError) as failure:
        decoder.read_image(b"\0\1\0\0\0\1\xff", 0)
    assert decoder.column_at_fault(failure.value.__traceback__) == "v"

    half = build_decoder(decoder.columns, (field_of(3, b"", columns[0]), field_of(15, b"\x28\0", columns[1])),
                         BeforeColumns(frozenset({1}), key=(1,)))  # fmt: skip
    assert half.read_replaced(b"\0\1\0\0\0\1x", 0) == (7, (None, "x"))
    with pytest.raises(UnicodeDecodeError) as failure:
        half.read_replaced(b"\0\1\0\0\0\1\xff", 0)
    assert half.column_at_fault(failure.value.__traceback__) == "v"


_ADDED_TO = (("n", "int"), ("v", "varchar"), ("added", "int"), ("small", "tinyint"))


def test_an_image_may_have_some_columns_in_another_order() -> None:
    """Tables of the shards: DDL has put columns where a later CREATE TABLE puts them elsewhere."""
    columns = [Column(name, ColumnType(kind, charset="utf8mb4"), nullable=True) for name, kind in _ADDED_TO]
    codes = ((3, b""), (15, b"\x28\0"), (3, b""), (1, b""))
    fields = tuple(field_of(code, metadata, column) for (code, metadata), column in zip(codes, columns, strict=True))
    decoder = build_decoder(
        tuple(column.name for column in columns),
        fields,
        BeforeColumns(frozenset({0, 2}), key=(2,), row=(0, 2)),
        (3, 1, 0),
    )
    image = b"\0\1\0\0\0\1x\2\0\0\0\3"
    assert decoder.read_image(image, 0) == (len(image), ("3", "x", "1"))
    assert decoder.read_replaced(image, 0) == (len(image), ("3", None, "1"))
    assert decoder.key_of(("3", "x", "1")) == "1"
