"""The hand-written pages use the field's words, in sentences and lines of a bounded length. Code, tables' widths and
links are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
DOCS: Final = "quickstart operating how-it-works limits performance ddl verify testing-specs sharding findings ci cluster editors security"
PAGES: Final = ("README.md", "CONTRIBUTING.md", "SECURITY.md", *(f"docs/{name}.md" for name in DOCS.split()))

BANNED: Final = {
    "books?": "ledger, batch journal, lookup table",
    "stands?|stood|standing": "is, exists, is stored in",
    "told|tells?|telling": "report, say, distinguish",
    "reckon(s|ed|ing)?": "calculate, estimate",
    "lets? it": "allow",
    "way out": "remedy",
    "who(so)?ever": "name the actor",
    "nobody": "no one, or the actor",
    "gets? nowhere": "makes no progress",
    "mend(s|ed|ing)?": "fix",
    "anew": "again",
    "goes on|go on|went on|going on": "continue",
    "perseverance|trouble that passes": "transient error, retry policy",
    "(steps?|stepped|stepping|passe[sd]|pass) over": "skip",
    "strays?": "schema drift (the flag is a code span)",
    "set aside": "isolated",
    "gives? way": "yields to the stream",
    "whereabouts": "parent placement",
    "hears?|in earnest|as ever|made-up": "plain English",
    "kind to": "throttle",
    "brakes?": "throttler",
    "looks? ahead|looking ahead": "prefetch",
    "taken back": "restored from a backup",
}
ALLOWED: Final[frozenset[tuple[str, str]]] = frozenset()
"""(page, phrase in lower case): a banned word that is right where it is. None so far."""

MOST_WORDS: Final = 35
MOST_COLUMNS: Final = 120
_BANNED: Final = re.compile(rf"(?<![\w-])({'|'.join(BANNED)})(?![\w-])", re.IGNORECASE)
_CODE_SPAN: Final = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
_LINK: Final = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_NEW_PIECE: Final = re.compile(r"^\s*(?:[-*+]|\d+\.)\s+|^#+\s+|^>\s*|^\s*$")
_ABBREVIATION: Final = re.compile(r"(?:\b(?:e\.g|i\.e|vs|cf|etc|No)|…)\.?$")
_SENTENCE_END: Final = re.compile(r"[.!?][\"')*_]*(?=\s|$)")


def _lines(text: str) -> Iterator[tuple[int, str, bool]]:
    """Lines outside of code blocks and comments, by number; whether each is a table's. Four columns of indentation are code after an
    empty line or after code."""
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


def _plain(text: str) -> str:
    return _LINK.sub(r"\1", _CODE_SPAN.sub("code", text))


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Paragraphs, list items, headings and table rows, each with its first line's number, without code and addresses."""
    piece: list[str] = []
    began = 1
    for number, line, table in _lines(text):
        if table or _NEW_PIECE.match(line):
            if piece:
                yield began, _plain(" ".join(piece))
            piece, began = [], number
        piece.append(_NEW_PIECE.sub("", line).strip())
        if table:
            yield number, _plain(" ".join(piece))
            piece = []
    yield began, _plain(" ".join(piece))


def sentences(piece: str) -> Iterator[str]:
    """Parts that end in a full stop, a question mark or an exclamation mark before a space, but not behind an abbreviation."""
    begin = 0
    for end in _SENTENCE_END.finditer(piece):
        if not _ABBREVIATION.search(piece[begin : end.start()]):
            yield piece[begin : end.end()].strip()
            begin = end.end()
    if piece[begin:].strip():
        yield piece[begin:].strip()


def _words(sentence: str) -> int:
    return sum(any(letter.isalnum() for letter in word) for word in sentence.split())


def _text(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_no_private_words(page: str) -> None:
    found = [
        f"{page}:{line}: {word[0]!r} in {piece[max(0, word.start() - 40) : word.end() + 40]!r}"
        for line, piece in _pieces(_text(page))
        for word in _BANNED.finditer(piece)
        if (page, word[0].lower()) not in ALLOWED
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("page", PAGES)
def test_sentences_are_short(page: str) -> None:
    found = [
        f"{page}:{line}: {_words(sentence)} words: {sentence}"
        for line, piece in _pieces(_text(page))
        if not piece.startswith("|")
        for sentence in sentences(piece)
        if _words(sentence) > MOST_WORDS
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
    assert _words("A row - of `code` | 7") == 5
    (_, piece), *_ = _pieces("The `books` of\nthe run stand [there](books.md).\n")
    assert [word[0] for word in _BANNED.finditer(piece)] == ["stand"]
