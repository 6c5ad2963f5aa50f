"""What drivers, servers and log tools write in the place of a value, as placeholders that the parser reads. Pure."""

from __future__ import annotations

import re
from typing import Final

from shardwright.specs.files.sql_pieces import BLOCK_COMMENT, LINE_COMMENT, QUOTED_NAME, STRING

ROW: Final = "row_of_values"
"""The placeholder for all values of a row, of which a server's digest says no more than `(...)`."""
LIST: Final = "list_of_values"
"""The placeholder for all values of a list, likewise."""

_QUOTED: Final = rf"{STRING}|{QUOTED_NAME}"
_PIECE: Final = re.compile(
    rf"(?P<kept>{_QUOTED})"
    r"|(?P<more>\(\.\.\.\)\s*/\*\s*,\s*\.\.\.\s*\*/)"
    r"|/\*M?!\d*+(?P<executed>(?>.*?(?=\*/)|.*+))(?:\*/|\Z)"
    rf"|(?P<comment>{BLOCK_COMMENT}|{LINE_COMMENT})"
    r"|(?P<minus>--)"
    r"|(?P<values>\bVALUES?\s*(?=\(\s*\.\.\.\s*\)))"
    r"|(?P<dots>\(\s*\.\.\.\s*\))"
    r"|(?P<named>%\((?P<name>\w+)\)s)"
    r"|(?P<plain>%s)"
    r"|(?P<numbered>\$(?P<number>\d+)\b)",
    re.DOTALL | re.IGNORECASE,
)
_TEXT_OF_DUMPSLOW: Final = r"'S'(?:S?'S')*|\"S\"(?:S?\"S\")*"
_FROM_DUMPSLOW: Final = re.compile(
    rf"(?P<text>{_TEXT_OF_DUMPSLOW})|(?P<kept>{_QUOTED})|(?P<number>(?<![\w`.])-?N(?![\w`.(]))", re.DOTALL
)


def normalise_placeholders(text: str) -> str:
    """The statement with `?` and `:name` alone, and without comments; quoted text stays. `(...)` becomes the
    placeholder `ROW` behind VALUES and `LIST` elsewhere. What a server executes of a comment (`/*!50000 ... */`) stands
    there, and `--1` is two signs, as for a server."""
    made: list[str] = []
    end = 0
    for found in _PIECE.finditer(text):
        made += [text[end : found.start()], _replacement(found, before="".join(made[-2:]))]
        end = found.end()
    made.append(text[end:])
    return "".join(made).strip().rstrip(";").strip()


def _replacement(found: re.Match[str], *, before: str) -> str:
    if found["kept"] is not None:
        return found["kept"]
    if found["more"] is not None:
        return f"(:{ROW}), (:{ROW})"
    if found["executed"] is not None:
        return f" {found['executed']} "
    if found["minus"] is not None:
        return "- -"
    if found["values"] is not None:
        return found["values"]
    if found["dots"] is not None:
        return f"(:{ROW})" if re.search(r"\bVALUES?\s*\Z", before, re.IGNORECASE) else f"(:{LIST})"
    if found["name"] is not None:
        return f":{found['name']}"
    if found["plain"] is not None:
        return "?"
    return f":p{found['number']}" if found["number"] is not None else " "


def read_dumpslow(text: str) -> str:
    """mysqldumpslow writes N for a number and 'S' for a text, and 'S'S'S' for one with a quote in it: each becomes
    `?`."""
    return _FROM_DUMPSLOW.sub(lambda found: found["kept"] or "?", text)


_OF_DIGESTS: Final = re.compile(
    rf"@@(?P<scope>\w+)\s+\.\s+`(?P<variable>\w+)`|(?P<kept>{_QUOTED})|\bSQL_TSI_(?P<word>[A-Z]+)\b"
    r"|(?P<several>\?\s*,\s*\.\.\.)",
    re.DOTALL,
)


def read_digest_text(text: str) -> str:
    """What digests of MySQL print in a way that no server reads. Each unquoted DAY, WEEK and the like, be it a column,
    is SQL_TSI_DAY; they are words again, which both a column and a unit may be. Values between commas are `?, ...`;
    here they are two. `@@SESSION . `x`` is one name."""
    return _OF_DIGESTS.sub(_of_digest, text)


def _of_digest(found: re.Match[str]) -> str:
    if found["variable"] is not None:
        return f"@@{found['scope']}.{found['variable']}"
    if found["several"] is not None:
        return "?, ?"
    return found["kept"] or found["word"]
