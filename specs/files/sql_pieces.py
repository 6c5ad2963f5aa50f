"""The parts of a SQL text in which its other marks mean nothing: comments, strings and quoted names.

A text may come from anybody, so every pattern here takes time in proportion to the text. What is not closed goes on to
the text's end, as the servers read it: looking for its end again at each later mark would take hours for a megabyte.
All patterns need `re.DOTALL`; in `re.VERBOSE` they mean the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

BLOCK_COMMENT: Final = r"/\*(?>.*?\*/|.*+)"
"""Also the ones that servers execute (`/*! ... */`)."""
LINE_COMMENT: Final = r"(?:--(?=[\s\x00-\x1f]|\Z)|\#)[^\n]*+"
QUOTED_NAME: Final = r"`[^`]*+(?:`|\Z)"
"""A doubled quote inside it reads as the end of one name and the start of another."""
STRING: Final = r"(?:'(?:[^'\\]++|\\(?:.|\Z)|'')*+(?:'|\Z)|\"(?:[^\"\\]++|\\(?:.|\Z)|\"\")*+(?:\"|\Z))"
_WITHOUT_ESCAPES: Final = r"(?:'[^']*+(?:'|\Z)|\"[^\"]*+(?:\"|\Z))"

_PIECES: Final = {
    escapes: re.compile(
        rf"(?P<line>{LINE_COMMENT})|(?P<block>{BLOCK_COMMENT})|(?P<quoted>{string}|{QUOTED_NAME})", re.DOTALL
    )
    for escapes, string in ((True, STRING), (False, _WITHOUT_ESCAPES))
}


def pieces(text: str, *, escapes: bool = True) -> Iterator[re.Match[str]]:
    """Each of them in its order; `lastgroup` is `line` or `block` (a comment), or `quoted`. `escapes`: whether a
    backslash in a string takes the next character with it, which it does unless the session has sql_mode
    NO_BACKSLASH_ESCAPES."""
    return _PIECES[escapes].finditer(text)
