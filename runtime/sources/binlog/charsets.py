"""How bytes of each character set become text: as the server itself converts them to utf8mb4 (hazards C19-C22).

Pure. Used in the driver and in Spark tasks.

A Python codec is used only where all byte values (pairs, for the double-byte sets) were compared with a server's own
conversion. Characters for which the two differ are listed and refused; sets that differ more are refused by name.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from dataclasses import dataclass

# Windows-1252, whose five unassigned bytes MySQL maps to the code points of the same number.
_LATIN1 = "".join(bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in range(256))


@dataclass(frozen=True, slots=True)
class Charset:
    """`widest` is the most bytes that a character takes. `codec` is Python's name of the set, None for latin1. `unlike`
    are characters that the server maps differently. With `plane` only the first 65,536 characters exist, where Python
    would read a surrogate pair."""

    widest: int
    codec: str | None
    unlike: str = ""
    plane: bool = False

    @property
    def decode(self) -> Callable[[bytes], str]:
        """Bytes to text; raises UnicodeDecodeError for bytes whose text may differ from the server's."""
        codec, unlike = self.codec, frozenset(self.unlike)
        if codec is None:
            return _decode_latin1
        if self.plane:
            return lambda raw: _first_plane(raw, codec)
        if not unlike:
            return lambda raw: raw.decode(codec)
        return lambda raw: _without(unlike, raw, codec)


def _decode_latin1(raw: bytes) -> str:
    return codecs.charmap_decode(raw, "strict", _LATIN1)[0]


def _without(unlike: frozenset[str], raw: bytes, codec: str) -> str:
    text = raw.decode(codec)
    if not unlike.isdisjoint(text):
        raise UnicodeDecodeError(codec, raw, 0, len(raw), "a character that the server maps differently")
    return text


def _first_plane(raw: bytes, codec: str) -> str:
    text = raw.decode(codec)
    if 2 * len(text) != len(raw):
        raise UnicodeDecodeError(codec, raw, 0, len(raw), "a surrogate pair in a character set without pairs")
    return text


CHARSETS: dict[str, Charset] = {
    "utf8mb4": Charset(4, "utf-8"),
    "utf8mb3": Charset(3, "utf-8"),
    "utf8": Charset(3, "utf-8"),
    "ascii": Charset(1, "ascii"),
    "latin1": Charset(1, None),
    "latin2": Charset(1, "iso8859-2"),
    "latin5": Charset(1, "iso8859-9"),
    "latin7": Charset(1, "iso8859-13"),
    "cp1250": Charset(1, "cp1250"),
    "cp1251": Charset(1, "cp1251"),
    "cp1257": Charset(1, "cp1257"),
    "cp850": Charset(1, "cp850"),
    "cp852": Charset(1, "cp852"),
    "koi8r": Charset(1, "koi8-r"),
    "macroman": Charset(1, "mac-roman"),
    "macce": Charset(1, "mac-latin2"),
    "tis620": Charset(1, "tis-620"),
    "utf16": Charset(4, "utf-16-be"),
    "utf16le": Charset(4, "utf-16-le"),
    "utf32": Charset(4, "utf-32-be"),
    "ucs2": Charset(2, "utf-16-be", plane=True),
    "gbk": Charset(2, "gbk"),
    "gb2312": Charset(2, "gb2312"),
    "cp932": Charset(2, "cp932"),
    "euckr": Charset(2, "cp949"),
    "sjis": Charset(2, "shift_jis", unlike="\uff3c"),
}
