"""What drivers, servers and log tools write in the place of a value, as placeholders that the parser reads. Pure."""

from __future__ import annotations

import re
from typing import Final

ROW: Final = "row_of_values"
"""The placeholder for all values of a row, of which a server's digest says no more than `(...)`."""
LIST: Final = "list_of_values"
"""The placeholder for all values of a list, likewise."""

_QUOTED: Final = r"'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.|\"\")*\"|`[^`]*`"
_PIECE: Final = re.compile(
    rf"(?P<kept>{_QUOTED})"
    r"|(?P<more>\(\.\.\.\)\s*/\*\s*,\s*\.\.\.\s*\*/)"
    r"|(?P<comment>/\*(?!!).*?\*/|(?:--\s|\#)[^\n]*)"
    r"|(?P<values>\bVALUES?\s*(?=\(\s*\.\.\.\s*\)))"
    r"|(?P<dots>\(\s*\.\.\.\s*\))"
    r"|(?P<named>%\((?P<name>\w+)\)s)"
    r"|(?P<plain>%s)"
    r"|(?P<numbered>\$(?P<number>\d+)\b)",
    re.DOTALL | re.IGNORECASE,
)
_FROM_DUMPSLOW: Final = re.compile(rf"(?P<kept>{_QUOTED})|(?P<number>(?<![\w`.])-?N(?![\w`.(]))", re.DOTALL)


def normalise_placeholders(text: str) -> str:
    """The statement with `?` and `:name` alone, and without comments; quoted text stays. `(...)` becomes the
    placeholder `ROW` behind VALUES and `LIST` elsewhere."""
    made: list[str] = []
    end, in_values = 0, False
    for found in _PIECE.finditer(text):
        made.append(text[end : found.start()])
        end = found.end()
        kind = found.lastgroup if found.lastgroup not in ("name", "number") else None
        if found["kept"] is not None:
            made.append(found["kept"])
        elif found["more"] is not None:
            made.append(f"(:{ROW}), (:{ROW})")
        elif found["values"] is not None:
            made.append(found["values"])
        elif found["dots"] is not None:
            in_values = bool(re.search(r"\bVALUES?\s*\Z", "".join(made[-3:]), re.IGNORECASE))
            made.append(f"(:{ROW})" if in_values else f"(:{LIST})")
        elif found["named"] is not None:
            made.append(f":{found['name']}")
        elif found["plain"] is not None:
            made.append("?")
        elif found["numbered"] is not None:
            made.append(f":p{found['number']}")
        else:
            assert kind == "comment"
            made.append(" ")
    made.append(text[end:])
    return "".join(made).strip().rstrip(";").strip()


def read_dumpslow(text: str) -> str:
    """mysqldumpslow writes N for a number and 'S' for a text: each becomes `?`."""
    return _FROM_DUMPSLOW.sub(lambda found: "?" if found["kept"] in (None, "'S'") else found["kept"], text)
