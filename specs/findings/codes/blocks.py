"""Reads the text of a file that explains codes. Pure.

Such a file has the codes that begin with its own name, in ascending order, a block each:

    ## SW8455 the queue does not hold what was not read

    The explanation is one paragraph. A line break in it means a space, so it is wrapped at 120 columns, as all texts
    of the project are. What to do: {START_OVER}.

    ```
    stream:
      binlog: {instead_of_queue: true}
    ```

The fence has an example, word for word; most codes have none. `{START_OVER}` is a hole: `findings/remedies` has its
text. A hole is capitals in braces, so other braces mean themselves. What is before the first block, a title with
`#` and an introduction, is for those who read the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Code:
    """`title` is a phrase. `explanation` is one line: why the finding matters, and what to do. `fix` has the lines of
    an example of the corrected text.

    A code is never reused and never changes its meaning. Whether it may be silenced, `findings/diagnostics` says.
    """

    code: str
    title: str
    explanation: str
    fix: str = ""


_PIECE: Final = re.compile(
    r"\A# (?P<title>.*)$"
    r"|^#(?P<heading>.*)$"
    r"|^```\n(?P<example>(?:(?!```|## SW).*\n)+)```$"
    r"|^(?P<fence>```.*)$"  # without an end, with a word behind it, or around nothing
    r"|^(?P<paragraph>(?!#|```)\S.*(?:\n(?!#|```)\S.*)*)$"
    r"|^(?P<indented>[^\S\n]+\S.*)$",
    re.MULTILINE,
)
_HEADING: Final = re.compile(r"# (?P<code>SW[1-9][0-9]{3}) (?P<title>\S.*?) *")
_HOLE: Final = re.compile(r"\{([A-Z][A-Z_]*)\}")


class BadCodes(Exception):
    """A file is not as this module reads it. The text names file, line and reason."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A heading, a paragraph, an example. `kind` is the name of its group in `_PIECE`; `line` counts from 1."""

    kind: str
    text: str
    line: int


def read_codes(text: str, file: str, fillings: Mapping[str, str]) -> tuple[Code, ...]:
    """The codes of a file, in their order. `file` is its name ("SW84.md"); `fillings` has the texts of holes by their
    names. Raises BadCodes."""
    codes: list[Code] = []
    for block in _cut_into_blocks(text):
        entry = _read_block(block, file, fillings)
        place = f"{file}:{block[0].line}: {entry.code}"
        if not entry.code.startswith(file.removesuffix(".md")):
            raise BadCodes(f"{place} is in the wrong file: its name has to be the code's beginning")
        if codes and entry.code == codes[-1].code:
            raise BadCodes(f"{place} is there twice")
        if codes and entry.code < codes[-1].code:
            raise BadCodes(f"{place} comes after {codes[-1].code}: codes ascend")
        codes.append(entry)
    return tuple(codes)


def _cut_into_blocks(text: str) -> Iterator[list[_Piece]]:
    """Each begins with its heading. The file's title and introduction are left out."""
    block: list[_Piece] = []
    for piece in _cut_into_pieces(text):
        if piece.kind == "heading" and block:
            yield block
            block = []
        if piece.kind == "heading" or block:
            block.append(piece)
    if block:
        yield block


def _cut_into_pieces(text: str) -> Iterator[_Piece]:
    for found in _PIECE.finditer(text):
        kind = str(found.lastgroup)
        yield _Piece(kind, found[kind], text.count("\n", 0, found.start(kind)) + 1)


def _read_block(block: list[_Piece], file: str, fillings: Mapping[str, str]) -> Code:
    heading, *body = block
    named = _HEADING.fullmatch(heading.text)
    if named is None:
        raise BadCodes(f"{file}:{heading.line}: a heading is `## SW`, four digits, a space and a title")
    code = named["code"]
    for piece in body:
        if piece.kind == "fence":
            raise BadCodes(f"{file}:{piece.line}: {code}: an example is between two lines of ``` and nothing else")
        if piece.kind == "indented":
            raise BadCodes(f"{file}:{piece.line}: {code}: a line of a text begins with a blank")
    if not body or body[0].kind != "paragraph":
        raise BadCodes(f"{file}:{heading.line}: {code} has no text")
    if len(body) > 1 and body[1].kind == "paragraph":
        raise BadCodes(f"{file}:{body[1].line}: {code} has a second paragraph: `explain` prints one")
    if len(body) > 2:
        raise BadCodes(f"{file}:{body[2].line}: {code} has something behind its example")
    explanation, *example = (_fill_holes(piece, file, fillings) for piece in body)
    return Code(code, named["title"], " ".join(explanation.split()), *(text.removesuffix("\n") for text in example))


def _fill_holes(piece: _Piece, file: str, fillings: Mapping[str, str]) -> str:
    for hole in _HOLE.finditer(piece.text):
        if hole[1] not in fillings:
            line = piece.line + piece.text.count("\n", 0, hole.start())
            raise BadCodes(f"{file}:{line}: {hole[0]} is no hole that `findings/remedies` fills")
    return _HOLE.sub(lambda hole: fillings[hole[1]], piece.text)
