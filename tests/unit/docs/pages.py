"""The pages of docs/ by kind, and how their words are counted."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from tests.unit.words import words_in

ROOT: Final = Path(__file__).parents[3]
DOCS: Final = ROOT / "docs"
_GENERATED_PART: Final = re.compile("<!-- [^>]*: generated -->.*?<!-- end of the generated part -->", re.DOTALL)


def is_generated(page: Path) -> bool:
    """A generated page says so in its first lines."""
    return any("Generated from" in line for line in (ROOT / page).read_text("utf-8").splitlines()[:5])


def words_of(page: Path) -> int:
    """As `words_in` counts them, code blocks and tables included, generated parts not."""
    return words_in(_GENERATED_PART.sub("", (ROOT / page).read_text(encoding="utf-8")))


ALL: Final = tuple(path.relative_to(ROOT) for path in sorted(DOCS.rglob("*.md")))
GENERATED: Final = tuple(page for page in ALL if is_generated(page))
DECISIONS: Final = tuple(page for page in ALL if page.parent.name == "decisions" and page.name != "README.md")
HAND_WRITTEN: Final = tuple(page for page in ALL if page not in GENERATED)
COUNTED: Final = (Path("README.md"), *(page for page in HAND_WRITTEN if page.parent.name != "decisions"))
"""Decisions are records, and count apart."""
