"""The field's words, and how sentences are counted: one rule for the hand-written pages and for what the program
says. Names of code are read as words, too (`name_words`)."""

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


def find_banned(piece: str) -> Iterator[re.Match[str]]:
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


ALSO_BANNED_IN_NAMES: Final = {
    "behind|beside": "after, concurrent",
    "faulty|suspects?|restless": "mismatch, candidate, unstable",
    "placing": "location, direct insert",
    "said": "reported, message",
    "stor(y|ies)": "case, scenario",
}
"""In names of functions, classes and files of the product."""
_ALSO_BANNED_IN_NAMES: Final = re.compile(rf"(?<![\w-])({'|'.join(ALSO_BANNED_IN_NAMES)})(?![\w-])")

_IRREGULAR: Final = re.compile(
    r"begun|born|bought|broken|brought|built|caught|chosen|dealt|done|drawn|driven|dug|eaten|fallen|felt|forbidden"
    r"|forgotten|found|frozen|given|gone|grown|heard|held|hidden|hung|kept|known|laid|left|lent|lost|made|meant"
    r"|met|mistaken|overridden|paid|proven|reread|rewritten|risen|said|seen|sent|shown|slept|sold|spent|spoken"
    r"|spun|struck|stuck|sunk|swept|taken|thought|thrown|told|torn|undone|unseen|unwritten|withheld|woken|won|worn"
    r"|woven|written"
)
_NO_PARTICIPLES: Final = re.compile(
    r"bed|bleed|breed|deed|embed|exceed|feed|greed|heed|indeed|need|proceed|red|reed|seed|shed|shred|speed|succeed"
    r"|weed"
)
"""They end in -ed."""
_NOUNS: Final = re.compile(
    r"binding|bookkeeping|ceiling|encoding|everything|finding|greeting|heading|listing|mapping|meaning|missing"
    r"|nothing|ordering|padding|ping|rating|reading|ring|routing|setting|something|spelling|string|substring|thing"
    r"|timing|warning"
)
"""They end in -ing, and are the names of values all the same (`missing` is an adjective)."""
_CAPITAL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def name_words(name: str) -> list[str]:
    """`_SharedLock.take_over` would be two names: `shared lock`, `take over`."""
    return [word for word in _CAPITAL.sub("_", name).lower().split("_") if word]


def begins_with_participle(name: str) -> bool:
    """Does a name of a function say what was done, instead of what it does or gives? A gerund counts when it is all of
    the name."""
    first, *more = name_words(name) or [""]
    if _IRREGULAR.fullmatch(first):
        return True
    if first.endswith("ed"):
        return len(first) > 3 and not _NO_PARTICIPLES.fullmatch(first)
    return first.endswith("ing") and not more and len(first) > 5 and not _NOUNS.fullmatch(first)


def find_banned_in_name(name: str) -> Iterator[re.Match[str]]:
    return find_banned(" ".join(name_words(name)))


def find_also_banned_in_name(name: str) -> Iterator[re.Match[str]]:
    return _ALSO_BANNED_IN_NAMES.finditer(" ".join(name_words(name)))
