"""The places of a YAML text's characters, whatever style it is written in."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.yaml.source import parse_yaml

WRITTEN = {
    "plain": "a: crc32(x) % 4\n",
    "plain, of two lines": "a: crc32(x)\n    %  4\n",
    "single quotes": "a: 'concat(x, ''-'') % 4'\n",
    "single quotes, two lines": "a: 'concat(x,\n\n  ''-'') % 4'\n",
    "double quotes": 'a: "concat(x, \\"-\\", \\u00e9) % \\x34"\n',
    "double quotes, continued": 'a: "concat(x, \\\n    \\"-\\",\n  y) %  4"\n',
    "literal": "a: |\n    concat(x,\n      '-') %\n\n    4\n",
    "literal with a number": "a: |2-\n    concat(x,\n  4)\n",
    "folded": "a: >-  # why\n  concat(x,\n\n  '-')\n    % 4\n  y\n",
    "in a list": "a: [ 'b''c' , \"d\\te\" ]\n",
}


def check(text: str) -> int:
    """Compare every character that is no white space with what stands at its place; returns how many were compared."""
    source = parse_yaml(text, "a.yaml", Findings())
    assert source is not None
    lines, compared = text.split("\n"), 0
    for path, span in source.spans.items():
        value = source.data
        for part in path:
            value = value[part]  # type: ignore[index]
        if not isinstance(value, str) or not span.characters:
            continue
        assert len(span.characters) == len(value), text
        for index, character in enumerate(value):
            place = span.part(index, index + 1)
            if not character.isspace():
                assert lines[place.line - 1][place.column - 1] in (character, "\\"), (text, character, place)
                compared += 1
    return compared


@pytest.mark.parametrize("text", WRITTEN.values(), ids=WRITTEN.keys())
def test_written(text: str) -> None:
    compared = check(text)
    assert compared or text == WRITTEN["plain"]


@given(
    st.text(alphabet="ab'\"\\\n :#é%☃", min_size=1),
    st.sampled_from(["'", '"', "|", ">"]),
    st.integers(1, 3),
)
def test_dumped(value: str, style: str, depth: int) -> None:
    data: object = value
    for _ in range(depth):
        data = {"k": data}
    check(yaml.dump(data, default_style=style, width=12, allow_unicode=True))


def test_a_part_of_several_lines_is_marked_on_its_first() -> None:
    source = parse_yaml("a: |\n  one two\n  three\n", "a.yaml", Findings())
    assert source is not None
    place = source.spans[("a",)].part(4, 13)
    assert (place.line, place.column, place.length) == (2, 7, 4), "up to and with the end of the line"
