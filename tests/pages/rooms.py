"""The tables of rooms in `docs/how-it-works.md` and of their tests in `CONTRIBUTING.md`, from the pages of the rooms."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from tests.rooms import ROOT, read_rooms

_END: Final = "<!-- end of the generated part -->"
_LAYERS: Final = ("specs", "compiler", "runtime")


def _table_of_tests() -> str:
    rows = (f"| [{room.name}]({room.name}/README.md) | {_short(room.tests)} |" for room in read_rooms())
    return _table("room", "tests", rows)


def _table_of_rooms(layer: str) -> str:
    """Lowest room first."""
    rooms = reversed([room for room in read_rooms() if room.name.startswith(f"{layer}/")])
    rows = (
        f"| [`{room.name}/`](../{room.name}/README.md) | {room.paragraph.replace('|', chr(92) + '|')} |"
        for room in rooms
    )
    return _table("room", "what it is for", rows)


def _table(first: str, second: str, rows: Iterable[str]) -> str:
    return "\n".join([f"| {first} | {second} |", "|---|---|", *rows])


def _short(paths: Iterable[str]) -> str:
    return ", ".join(f"`{path.removeprefix('tests/')}`" for path in paths)


PARTS: Final[Mapping[Path, Mapping[str, Callable[[], str]]]] = {
    ROOT / "CONTRIBUTING.md": {"tests of the rooms": _table_of_tests},
    ROOT / "docs" / "how-it-works.md": {
        f"rooms of {layer}": lambda layer=layer: _table_of_rooms(layer)  # type: ignore[misc]
        for layer in _LAYERS
    },
}
"""By file, what stands between `<!-- NAME: generated -->` and the next end."""


def renew(file: Path) -> str:
    """The file's text with its generated parts as they should be. Raises ValueError where one has no place."""
    text = file.read_text(encoding="utf-8")
    for name, make in PARTS[file].items():
        begin = f"<!-- {name}: generated -->"
        place = re.compile(f"{re.escape(begin)}.*?{re.escape(_END)}", re.DOTALL)
        if not place.search(text):
            raise ValueError(f"{file} has no place for '{name}'")
        table = f"{begin}\n{make()}\n{_END}"
        text = place.sub(lambda _, table=table: table, text)  # type: ignore[misc]
    return text
