"""Files that explain codes: what a block is read as, and that a bad one is refused with its place."""

from __future__ import annotations

import pytest

from shardwright.specs.findings.codes.blocks import BadCodes, Code, read_codes

FILLINGS = {"START_OVER": "start over\nas a page says", "RECOPY": "run --recopy"}
FILE = """# SW82xx: the ledgers

For readers of the file. {NO_HOLE}

## SW8201 a title with `code`, {braces} and ## signs

One line
and another one, {single: DATABASE} and {database}: {START_OVER}.

## SW8202 with an example

A text.

```
# not a heading
  {RECOPY} orders

{database}
```
"""


def test_blocks() -> None:
    assert read_codes(FILE, "SW82.md", FILLINGS) == (
        Code(
            "SW8201",
            "a title with `code`, {braces} and ## signs",
            "One line and another one, {single: DATABASE} and {database}: start over as a page says.",
        ),
        Code("SW8202", "with an example", "A text.", "# not a heading\n  run --recopy orders\n\n{database}"),
    )


def test_blank_lines_around_a_piece_and_blanks_behind_a_title_mean_nothing() -> None:
    bare = "## SW8201 a title \nA text.\n```\nan example\n```\n## SW8202 another\nIts text."
    entry = Code("SW8201", "a title", "A text.", "an example")
    assert read_codes(bare, "SW8.md", {}) == (entry, Code("SW8202", "another", "Its text."))


def test_a_file_without_blocks_has_no_codes() -> None:
    assert read_codes("", "SW82.md", {}) == read_codes("# SW82xx: the ledgers\n", "SW82.md", {}) == ()


TITLE = "# SW82xx: the ledgers\n\n"
SOUND = "## SW8205 a title\n\nA text.\n\n"
EXAMPLE = "```\nan example\n```\n\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("## SW8206 a title\n", "7: SW8206 has no text"),
        ("## SW8206 a title\n\n## SW8207 another\n\nA text.\n", "7: SW8206 has no text"),
        (f"## SW8206 a title\n\n{EXAMPLE}", "7: SW8206 has no text"),
        (SOUND, "7: SW8205 is there twice"),
        ("## SW8204 a title\n\nA text.\n", "7: SW8204 comes after SW8205: codes ascend"),
        ("## SW8306 a title\n\nA text.\n", "7: SW8306 is in the wrong file: its name has to be the code's beginning"),
        ("A second text.\n", "7: SW8205 has a second paragraph: `explain` prints one"),
        (f"{EXAMPLE}A second text.\n", "11: SW8205 has something behind its example"),
        (EXAMPLE * 2, "12: SW8205 has something behind its example"),
        ("    an example\n", "7: SW8205: a line of a text begins with a blank"),
        ("```\nan example\n", "7: SW8205: an example is between two lines of ``` and nothing else"),
        (f"```\nan example\n\n## SW8206 a title\n\nA text.\n\n{EXAMPLE}", "7: SW8205: an example is between two lines"),
        ("```yaml\nan example\n```\n", "7: SW8205: an example is between two lines of ``` and nothing else"),
        ("```\n```\n", "7: SW8205: an example is between two lines of ``` and nothing else"),
        ("## SW8206 a title\n\nA text\nwith {START-OVER} and\n{STARTOVER}.\n", "11: {STARTOVER} is no hole that `find"),
        ("```\nan example\n{RECOPY_ALL}\n```\n", "9: {RECOPY_ALL} is no hole that `findings/remedies` fills"),
    ],
)
def test_a_bad_block_is_refused_with_its_line(text: str, said: str) -> None:
    with pytest.raises(BadCodes) as refused:
        read_codes(TITLE + SOUND + text, "SW82.md", FILLINGS)
    assert str(refused.value).startswith(f"SW82.md:{said}")


@pytest.mark.parametrize("heading", ["## SW820 a", "## SW8206", "##SW8206 a", "### SW8206 a", "# SW8206 a", "## SW"])
def test_a_heading_that_is_none_is_refused(heading: str) -> None:
    with pytest.raises(BadCodes, match=r"^SW82\.md:7: a heading is `## SW`, four digits, a space and a title$"):
        read_codes(f"{TITLE}{SOUND}{heading}\n\nA text.\n", "SW82.md", FILLINGS)
