"""The field's words, and how sentences are counted: one rule for the hand-written pages and for what the program
says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

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
    "unsettled": "still changing",
    "taken back": "restored from a backup",
}
MOST_WORDS: Final = 35
_BANNED: Final = re.compile(rf"(?<![\w-])({'|'.join(BANNED)})(?![\w-])", re.IGNORECASE)
_CODE_SPAN: Final = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
_LINK: Final = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_ABBREVIATION: Final = re.compile(r"(?:\b(?:e\.g|i\.e|vs|cf|etc|No)|…)\.?$")
_SENTENCE_END: Final = re.compile(r"[.!?][\"')*_]*(?=\s|$)")


def plain(text: str) -> str:
    """Without code spans and the addresses of links."""
    return _LINK.sub(r"\1", _CODE_SPAN.sub("code", text))


def banned_in(piece: str) -> Iterator[re.Match[str]]:
    return _BANNED.finditer(piece)


def too_long_in(piece: str) -> Iterator[str]:
    return (sentence for sentence in sentences(piece) if words_in(sentence) > MOST_WORDS)


def sentences(piece: str) -> Iterator[str]:
    """Parts that end in a full stop, a question mark or an exclamation mark before a space, but not behind an
    abbreviation."""
    begin = 0
    for end in _SENTENCE_END.finditer(piece):
        if not _ABBREVIATION.search(piece[begin : end.start()]):
            yield piece[begin : end.end()].strip()
            begin = end.end()
    if piece[begin:].strip():
        yield piece[begin:].strip()


def words_in(sentence: str) -> int:
    return sum(any(letter.isalnum() for letter in word) for word in sentence.split())
