"""The page as headless Chromium shows it: drawn without a network, nothing cut off, the verdict's colour at the top."""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
import zlib
from pathlib import Path

import pytest

from shardwright.runtime.verify.html_report import as_html
from shardwright.runtime.verify.result import (
    ColumnDifference,
    Mismatch,
    MismatchKind,
    ShardRows,
    TableResult,
    VerifyResult,
)

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium here (apt-get install chromium)")

WIDTH, HEIGHT = 1000, 1400
PHONE = 400
RED, GREEN, WHITE = (0xB3, 0x26, 0x1E), (0x1A, 0x7F, 0x37), (255, 255, 255)
DATABASES = tuple(f"order_db_{number}" for number in range(16))


def _page(*mismatches: Mismatch) -> str:
    shards = tuple(ShardRows(name, 1_000) for name in DATABASES)
    tables = (
        TableResult("orders", 16_000, shards, 4, 1, mismatches, (), None, 1.5),
        TableResult(
            "a_table_with_a_name_as_long_as_the_servers_allow_it_to_be_64_char", 0, (), 1, 0, (), (), None, 0.1
        ),
    )
    return as_html(VerifyResult("shop-split", "0123456789abcdef", tables, 2.0, {"db-1": "0-1-4711"}))


WRONG = tuple(
    Mismatch(MismatchKind.DIFFERENT, "orders", (str(number),), (f"order_db_3.orders_{number % 16}",), None, (column,))
    for number, column in enumerate([ColumnDifference("note", "x" * 290, None)] * 30)
)


@pytest.mark.in_turn
def test_a_page_that_differs(tmp_path: Path) -> None:
    text = _browse(_page(*WRONG), tmp_path, "--dump-dom")
    assert re.search(r"<h1>\s*Different\s*</h1>", text) and text.count("order_db_") >= 16
    pixels = _screenshot(_page(*WRONG), tmp_path)
    assert _has(pixels, RED, rows=range(200)), "the verdict has its colour"
    assert _has(pixels, None, rows=range(200, HEIGHT)), "and there is more below it"
    assert all(pixels[row][WIDTH - 6] == WHITE for row in range(HEIGHT)), "nothing runs out of the window"


@pytest.mark.in_turn
def test_a_page_on_a_phone(tmp_path: Path) -> None:
    """In a frame of 400 pixels: a window of Chromium is wider."""
    (tmp_path / "narrow.html").write_text(_page(*WRONG), encoding="utf-8")
    frame = (
        f'<style>*{{margin:0;border:0}}</style><iframe src="narrow.html" width="{PHONE}" height="{HEIGHT}"></iframe>'
    )
    pixels = _screenshot(frame, tmp_path)
    assert _has(pixels, RED, rows=range(200))
    assert all(pixels[row][PHONE - 6] == WHITE for row in range(HEIGHT)), "nothing is cut, and nothing scrolls"


@pytest.mark.long
def test_a_page_that_is_equal(tmp_path: Path) -> None:
    pixels = _screenshot(_page(), tmp_path)
    assert _has(pixels, GREEN, rows=range(200)) and not _has(pixels, RED, rows=range(HEIGHT))


def _has(pixels: list[list[tuple[int, ...]]], colour: tuple[int, ...] | None, *, rows: range) -> bool:
    """Whether some pixel has that colour; None: any but the ground's."""
    return any(pixel == colour if colour else pixel != WHITE for row in rows for pixel in pixels[row])


def _screenshot(page: str, folder: Path) -> list[list[tuple[int, ...]]]:
    picture = folder / "page.png"
    _browse(page, folder, f"--screenshot={picture}", f"--window-size={WIDTH},{HEIGHT}", "--hide-scrollbars")
    return _pixels(picture.read_bytes())


def _browse(page: str, folder: Path, *options: str) -> str:
    file = folder / "page.html"
    file.write_text(page, encoding="utf-8")
    assert BROWSER is not None
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
    command += ["--host-resolver-rules=MAP * ~NOTFOUND", *options, file.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


def _pixels(png: bytes) -> list[list[tuple[int, ...]]]:
    """The rows of a PNG of 8-bit colours, red, green and blue."""
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    assert (depth, kind) in {(8, 2), (8, 6)}, "RGB or RGBA"
    size, data, at = 3 if kind == 2 else 4, b"", 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        data += png[at + 8 : at + 8 + length] if png[at + 4 : at + 8] == b"IDAT" else b""
        at += length + 12
    raw, before, rows = zlib.decompress(data), bytearray(width * size), []
    for number in range(height):
        start = number * (width * size + 1)
        line = bytearray(raw[start + 1 : start + 1 + width * size])
        _unfilter(raw[start], line, before, size)
        rows.append([tuple(line[x : x + 3]) for x in range(0, width * size, size)])
        before = line
    return rows


def _unfilter(kind: int, line: bytearray, above: bytearray, size: int) -> None:
    """PNG's five filters, undone in place."""
    for x in range(len(line)):
        left = line[x - size] if x >= size else 0
        corner = above[x - size] if x >= size else 0
        up = above[x]
        guess = left + up - corner
        paeth = min((left, up, corner), key=lambda one: abs(guess - one))
        line[x] = (line[x] + (0, left, up, (left + up) // 2, paeth)[kind]) & 255
