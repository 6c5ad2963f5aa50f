"""The rooms and their pages: a README.md in each folder of `specs`, `compiler` and `runtime`.

    python -m tests.rooms [ROOM ...]      the tests of these rooms, as `make test-room` runs them; without one: all rooms

A page has a heading with the room's name, a paragraph that says what the room is for, and the sections of `SECTIONS`.
Under "Tests" every code span is a path.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
SECTIONS: Final = ("Rules", "Shared: do not write it again", "Tests")
_SPAN: Final = re.compile(r"`([^`\n]+)`")


@dataclass(frozen=True, slots=True)
class Room:
    """`name` as "runtime/mysql". The other fields are parts of its page: `paragraph` its first one, `purpose` the first sentence of that, `sections` the
    text below each heading."""

    name: str
    text: str
    purpose: str
    paragraph: str
    sections: dict[str, str]

    @property
    def page(self) -> Path:
        return page_of(self.name)

    @property
    def tests(self) -> tuple[str, ...]:
        """Paths below `tests/`, in the page's order."""
        return tuple(dict.fromkeys(_SPAN.findall(self.sections["Tests"])))


def page_of(name: str) -> Path:
    return ROOT / name / "README.md"


def room_names() -> list[str]:
    """The folders among the rooms of the import contracts, highest room first, `specs` before `compiler` before
    `runtime`."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    named = [
        f"{layer}/{room.strip()}"
        for layer in ("specs", "compiler", "runtime")
        for contract in contracts
        if contract.get("containers") == [f"shardwright.{layer}"]
        for line in contract["layers"]
        for room in line.split("|")
    ]
    return [name for name in named if (ROOT / name).is_dir()]


def read_room(name: str) -> Room:
    """Raises FileNotFoundError without a page, KeyError in `tests` where a section is missing."""
    text = page_of(name).read_text(encoding="utf-8")
    head, *parts = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)
    paragraph = " ".join(head.strip().split("\n\n")[1].split())
    sentence = re.match(r".*?[.?](?= |$)", paragraph)
    purpose = sentence[0] if sentence else paragraph
    return Room(name, text, purpose, paragraph, dict(zip(parts[::2], parts[1::2], strict=True)))


def read_rooms() -> Iterator[Room]:
    return map(read_room, room_names())


def main(names: list[str]) -> int:
    known = room_names()
    wrong = [name for name in names if name.strip("/") not in known]
    if wrong or not names:
        print(f"ROOM is one of {' '.join(known)}", file=sys.stderr)
        return 2
    print(*dict.fromkeys(path for name in names for path in read_room(name.strip("/")).tests))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
