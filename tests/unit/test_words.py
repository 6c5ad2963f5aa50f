"""The hand-written pages use the field's words, in sentences and lines of a bounded length. Code, tables' widths and
links are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pytest

from tests.rooms import page_of, room_names
from tests.unit.docs.pages import HAND_WRITTEN, ROOT
from tests.unit.words import find_banned, plain, sentences, too_long_in, words_in

ROOMS: Final = tuple(str(page_of(name).relative_to(ROOT)) for name in room_names())
PAGES: Final = (
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CHANGELOG.md",
    "changelog.d/README.md",
    "tests/README.md",
    *(str(page) for page in HAND_WRITTEN),
    *ROOMS,
)

ALLOWED: Final[frozenset[tuple[str, str]]] = frozenset()
"""(page, phrase in lower case): a banned word that is right where it is. None so far."""

MOST_COLUMNS: Final = 120
_NEW_PIECE: Final = re.compile(r"^\s*(?:[-*+]|\d+\.)\s+|^#+\s+|^>\s*|^\s*$")


def _lines(text: str) -> Iterator[tuple[int, str, bool]]:
    """Lines outside of code blocks and comments, by number; whether each is a table's. Four columns of indentation are
    code after an empty line or after code."""
    fence = before = ""
    for number, line in enumerate(text.splitlines(), start=1):
        opened = re.match(r"\s*(```+|~~~+)", line)
        if opened and (not fence or opened[1].startswith(fence)):
            fence = "" if fence else opened[1]
        elif not fence and not line.startswith("<!--") and not (line.startswith("    ") and not before.strip()):
            yield number, line, line.lstrip().startswith("|")
            before = line
            continue
        before = "    " if not fence and line.startswith("    ") else ""


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Paragraphs, list items, headings and table rows, each with its first line's number, without code and
    addresses."""
    piece: list[str] = []
    began = 1
    for number, line, table in _lines(text):
        if table or _NEW_PIECE.match(line):
            if piece:
                yield began, plain(" ".join(piece))
            piece, began = [], number
        piece.append(_NEW_PIECE.sub("", line).strip())
        if table:
            yield number, plain(" ".join(piece))
            piece = []
    yield began, plain(" ".join(piece))


def _text(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_no_privatewords_in(page: str) -> None:
    found = [
        f"{page}:{line}: {word[0]!r} in {piece[max(0, word.start() - 40) : word.end() + 40]!r}"
        for line, piece in _pieces(_text(page))
        for word in find_banned(piece)
        if (page, word[0].lower()) not in ALLOWED
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("page", PAGES)
def test_sentences_are_short(page: str) -> None:
    found = [
        f"{page}:{line}: {words_in(sentence)} words: {sentence}"
        for line, piece in _pieces(_text(page))
        if not piece.startswith("|")
        for sentence in too_long_in(piece)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("page", PAGES)
def test_lines_are_short(page: str) -> None:
    found = [
        f"{page}:{number}: {len(line)} columns"
        for number, line, table in _lines(_text(page))
        if len(line) > MOST_COLUMNS and not table and not re.fullmatch(r"\s*\[[^\]]*\]\([^)]*\)[.,]?", line)
    ]
    assert not found, "\n".join(found)


def test_the_splitter_and_the_words_find_what_they_should() -> None:
    assert [*sentences("It is 0.5 s. Then (e.g. here) it ends! Or")] == [
        "It is 0.5 s.",
        "Then (e.g. here) it ends!",
        "Or",
    ]
    assert words_in("A row - of `code` | 7") == 5
    (_, piece), *_ = _pieces("The `books` of\nthe run stand [there](books.md).\n")
    assert [word[0] for word in find_banned(piece)] == ["stand"]
