"""How bytes of each character set become text: as the server itself converts them to utf8mb4 (hazards C19-C22).

Pure. Used in the driver and in Spark tasks.

A Python codec is used only where all byte values (pairs, for the double-byte sets) were compared with a server's own
conversion. Where the two differ, our own tables have what the server makes of the bytes. What the server loses is
refused.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from shardwright.runtime.sources.binlog.charset_tables import single_bytes, unlike


@dataclass(frozen=True, slots=True)
class Charset:
    """`widest` is the most bytes that a character takes. `codec` is Python's name of the set; None where `table` names
    one of ours. `unlike` are characters that the server maps differently. With `plane` only the first 65,536 characters
    exist, where Python would read a surrogate pair. `codec` with `table`: Python's set, with other characters at some
    places."""

    widest: int
    codec: str | None
    unlike: str = ""
    plane: bool = False
    table: str = ""

    @property
    def decode(self) -> Callable[[bytes], str]:
        """Bytes to text; raises UnicodeDecodeError for bytes whose text may differ from the server's."""
        codec, others = self.codec, frozenset(self.unlike)
        if codec is None:
            table = single_bytes(self.table)
            return lambda raw: codecs.charmap_decode(raw, "strict", table)[0]
        if self.table:
            return _PatchedCodec(codec, unlike(self.table), _SIZES[self.table]).decode
        if self.plane:
            return lambda raw: _first_plane(raw, codec)
        if not others:
            return lambda raw: raw.decode(codec)
        return lambda raw: _without(others, raw, codec)


class _PatchedCodec:
    """A codec that is right for most texts. Where it fails, or gives a character that other bytes may stand for, the
    text is read character by character."""

    def __init__(self, codec: str, patches: Mapping[bytes, str], size: Callable[[bytes, int], int]) -> None:
        self._codec = codec
        self._patches = patches
        self._size = size
        self._doubtful = frozenset("".join(piece.decode(codec, "ignore") for piece in patches))

    def decode(self, raw: bytes) -> str:
        try:
            text = raw.decode(self._codec)
        except UnicodeDecodeError:
            return self._slowly(raw)
        return text if self._doubtful.isdisjoint(text) else self._slowly(raw)

    def _slowly(self, raw: bytes) -> str:
        found, at = [], 0
        while at < len(raw):
            piece = raw[at : at + self._size(raw, at)]
            character = self._patches.get(piece)
            if character == "\ufffe":
                raise UnicodeDecodeError(self._codec, raw, at, at + len(piece), "a character that the server loses")
            found.append(piece.decode(self._codec) if character is None else character)
            at += len(piece)
        return "".join(found)


def _size_of_euc(raw: bytes, at: int) -> int:
    lead = raw[at]
    return 1 if lead < 0x80 else 3 if lead == 0x8F else 2


def _size_of_big5(raw: bytes, at: int) -> int:
    return 1 if raw[at] < 0x80 else 2


def _size_of_gb18030(raw: bytes, at: int) -> int:
    return 1 if raw[at] < 0x80 else 4 if raw[at + 1 : at + 2].isdigit() else 2


_SIZES: Mapping[str, Callable[[bytes, int], int]] = {
    "big5": _size_of_big5,
    "eucjpms": _size_of_euc,
    "gb18030": _size_of_gb18030,
    "ujis": _size_of_euc,
}


def _without(others: frozenset[str], raw: bytes, codec: str) -> str:
    text = raw.decode(codec)
    if not others.isdisjoint(text):
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
    "latin1": Charset(1, None, table="latin1"),
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
    "big5": Charset(2, "big5", table="big5"),
    "ujis": Charset(3, "euc_jp", table="ujis"),
    "eucjpms": Charset(3, "euc_jp", table="eucjpms"),
    "gb18030": Charset(4, "gb18030", table="gb18030"),
    **{
        name: Charset(1, None, table=name)
        for name in (
            "armscii8",
            "cp866",
            "cp1256",
            "dec8",
            "geostd8",
            "greek",
            "hebrew",
            "hp8",
            "keybcs2",
            "koi8u",
            "swe7",
        )
    },
}
