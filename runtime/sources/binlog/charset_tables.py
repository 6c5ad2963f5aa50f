"""Character sets that Python does not know, or not as the servers do: their tables (hazards C19-C22).

Pure. All were compared with both servers' own conversion, over all code points. U+FFFE stands for bytes that no
character has.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

_NOTHING: Final = "\ufffe"
_ASCII: Final = "".join(map(chr, range(128)))
ARMSCII8 = (
    "\x80\x81\x82\x83\x84\x85\x86\x87\x88\x89\x8a\x8b\x8c\x8d\x8e\x8f"
    "\x90\x91\x92\x93\x94\x95\x96\x97\x98\x99\x9a\x9b\x9c\x9d\x9e\x9f"
    "\xa0❁§։\x29\x28»«—\x2e՝\x2c\x2d՟…՜"
    "՛՞ԱաԲբԳգԴդԵեԶզԷէ"
    "ԸըԹթԺժԻիԼլԽխԾծԿկ"
    "ՀհՁձՂղՃճՄմՅյՆնՇշ"
    "ՈոՉչՊպՋջՌռՍսՎվՏտ"
    "ՐրՑցՒւՓփՔքՕօՖֆ’\x27"
)
DEC8 = (
    "\x80\x81\x82\x83\x84\x85\x86\x87\x88\x89\x8a\x8b\x8c\x8d\x8e\x8f"
    "\x90\x91\x92\x93\x94\x95\x96\x97\x98\x99\x9a\x9b\x9c\x9d\x9e\x9f"
    "\xa0¡¢£\ufffe¥\ufffe§¤©ª«\ufffe\ufffe\ufffe\ufffe"
    "°±²³\ufffeµ¶·\ufffe¹º»¼½\ufffe¿"
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏ"
    "\ufffeÑÒÓÔÕÖŒØÙÚÛÜŸ\ufffeß"
    "àáâãäåæçèéêëìíîï"
    "\ufffeñòóôõöœøùúûüÿ\ufffe\ufffe"
)
GEOSTD8 = (
    "€\ufffe‚\ufffe„…†‡\ufffe‰\ufffe‹\ufffe\ufffe\ufffe\ufffe"
    "\ufffe‘’“”•–—\ufffe\ufffe\ufffe›\ufffe\ufffe\ufffe\ufffe"
    "\xa0¡¢£¤¥¦§¨©ª«¬\xad®¯"
    "°±²³´µ¶·¸¹º»¼½¾¿"
    "აბგდევზჱთიკლმნჲო"
    "პჟრსტჳუფქღყშჩცძწ"
    "ჭხჴჯჰჵ\ufffe\ufffe\ufffe\ufffe\ufffe\ufffe\ufffe\ufffe\ufffe\ufffe"
    "\ufffe\ufffe\ufffe\ufffe\ufffe\ufffe\ufffe\ufffe\ufffe\ufffe\ufffe\ufffe\ufffe№\ufffe\ufffe"
)
KEYBCS2 = (
    "ČüéďäĎŤčěĚĹÍľĺÄÁ"
    "ÉžŽôöÓůÚýÖÜŠĽÝŘť"
    "áíóúňŇŮÔšřŕŔ¼¡«»"
    "░▒▓│┤╡╢╖╕╣║╗╝╜╛┐"
    "└┴┬├─┼╞╟╚╔╩╦╠═╬╧"
    "╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀"
    "αßΓπΣσµτΦΘΩδ∞φε∩"
    "≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\xa0"
)
_IBM = (
    "ⅰⅱⅲⅳⅴⅵⅶⅷⅸⅹⅠⅡⅢⅣⅤⅥ"
    "ⅦⅧⅨⅩ＇＂㈱№℡炻仼僴凬匇匤﨎"
    "咊坙﨏塚增寬峵嵓﨑德悅愠敎昻晥晴"
    "朗栁﨓﨔橫櫢淸淲瀨凞猪甁皂皞益礰"
    "礼神祥福竧靖精綠緖羽荢﨟薰蘒﨡蠇"
    "諸譿賴赶﨣﨤逸郞都鄕﨧﨨閒隆﨩霻"
    "靍靑飯飼館馞髙魲鶴黑"
)


def _like(codec: str, unlike: Mapping[int, str]) -> str:
    """Python's table of a set of single bytes, with other characters at some of them."""
    found = (bytes([byte]).decode(codec, "ignore") or _NOTHING for byte in range(256))
    return "".join(unlike.get(byte, character) for byte, character in enumerate(found))


_SINGLE: Final[Mapping[str, tuple[str, Mapping[int, str]]]] = {
    "cp866": ("cp866", {0xFC: "\u207f", 0xFD: "\xb2"}),
    "cp1256": ("cp1256", dict.fromkeys((0x8A, 0x8F, 0x98, 0x9A, 0x9F, 0xAA, 0xC0, 0xFF), _NOTHING)),
    "greek": ("iso8859-7", {0xA1: "\u02bd", 0xA2: "\u02bc", **dict.fromkeys((0xA4, 0xA5, 0xAA), _NOTHING)}),
    "hebrew": ("iso8859-8", {0xAF: "\u203e"}),
    "hp8": ("hp-roman8", {}),
    "koi8u": ("koi8-u", {0x95: "\u2022"}),
    "latin1": ("cp1252", {byte: chr(byte) for byte in (0x81, 0x8D, 0x8F, 0x90, 0x9D)}),
    "swe7": ("ascii", dict(zip(b"@[\\]^`{|}~\x7f", f"ÉÄÖÅÜéäöåü{_NOTHING}", strict=True))),
}
_UPPER: Final = {"armscii8": ARMSCII8, "dec8": DEC8, "geostd8": GEOSTD8, "keybcs2": KEYBCS2}


@cache
def single_bytes(name: str) -> str:
    """The characters of a set's 256 bytes."""
    return _ASCII + _UPPER[name] if name in _UPPER else _like(*_SINGLE[name])


@cache
def unlike(name: str) -> Mapping[bytes, str]:
    """The characters of a set of several bytes where the servers map them otherwise than Python's codec does."""
    if name == "big5":
        refused = dict.fromkeys((bytes.fromhex(code) for code in _BIG5_REFUSED.split()), _NOTHING)
        return refused | {bytes([0xF9, 0xD6 + at]): character for at, character in enumerate(_BIG5_MORE)}
    if name == "gb18030":
        return {b"\xa8\xbc": "\u1e3f", b"\x81\x35\xf4\x37": "\ue7c7"}
    own = {b"\xa1\xc0": "\\"} if name == "ujis" else _of_windows()
    return own | _private_characters()


_BIG5_REFUSED: Final = "a15a a1c3 a1c5 a1fe a240 a2cc a2ce"
"""The servers lose these: they make U+FFFD of them."""
_BIG5_MORE: Final = "\u7881\u92b9\u88cf\u58bb\u6052\u7ca7\u5afa"
_ROWS: Final = range(0xA1, 0xFF)


def _private_characters() -> dict[bytes, str]:
    """In both sets of EUC-JP the last ten rows of both planes are characters for private use."""
    rows = [(prefix, row) for prefix in (b"", b"\x8f") for row in range(0xF5, 0xFF)]
    places = [prefix + bytes([row, cell]) for prefix, row in rows for cell in _ROWS]
    return {place: chr(0xE000 + at) for at, place in enumerate(places)}


def _of_windows() -> dict[bytes, str]:
    """What eucjpms has of Windows' set (cp932): other signs in row 1, row 13, and IBM's characters."""
    found = {b"\xa2\xcc": "\uffe2", b"\x8f\xa2\xb7": "\uff5e", b"\x8f\xa2\xc3": "\uffe4"}
    for row, lead in ((0xA1, 0x81), (0xAD, 0x87)):
        for cell in _ROWS:
            character = bytes([lead, cell - 0x61 + (cell >= 0xE0)]).decode("cp932", "ignore")
            if not character.isascii():
                found[bytes([row, cell])] = character
    places = [bytes([0x8F, row, cell]) for row in (0xF3, 0xF4) for cell in _ROWS]
    return found | dict(zip(places[-len(_IBM) :], _IBM, strict=True))
