"""Whatever is written in a file, reading it gives a model or findings, and the findings can be shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from shardwright.specs.environment.read import parse_environment, read_environment
from shardwright.specs.findings.diagnostics import SpecError
from shardwright.specs.findings.render import render
from shardwright.specs.spec.read import parse_spec, read_spec

CASES = Path(__file__).parents[2] / "cases"
WRITTEN = sorted(path.read_bytes() for path in CASES.rglob("*.yaml"))

pieces = st.sampled_from(
    sorted(
        {word for text in WRITTEN for word in text.decode("utf-8", "replace").replace("\n", " \n ").split(" ")}
        | {
            "\n",
            "\n  ",
            "\n    ",
            ": ",
            "- ",
            "[",
            "]",
            "{",
            "}",
            "'",
            '"',
            "|\n",
            "&a ",
            "*a",
            "<<: ",
            "!!x ",
            "---\n",
            "é",
        }
    )
)
texts = st.one_of(st.text(), st.lists(pieces, max_size=60).map(" ".join), st.lists(pieces, max_size=60).map("".join))


def check(text: str) -> None:
    for parse in (parse_spec, parse_environment):
        try:
            parse(text, "spec.yaml")
        except SpecError as error:
            check_shown(error, text.split("\n"))


def check_shown(error: SpecError, lines: list[str]) -> None:
    shown = render(error.diagnostics, read_line=lambda file, line: lines[line - 1] if line <= len(lines) else None)
    assert error.diagnostics
    assert all(item.code in shown for item in error.diagnostics)
    assert all(character.isprintable() or character == "\n" for character in shown)
    assert all(item.span.line >= 1 and item.span.column >= 1 for item in error.diagnostics)


@settings(max_examples=300, deadline=None)
@given(texts)
@example("tables: [{sharding: {single: 1}}]\ntarget: {databases: [1]}\nsharding: 1")
@example("sharding: {x: {shard_key: [a], tables_suffix: []}}\nshards: {'{': a}\nspark: {conf: {1: 2}}")
def test_any_text(text: str) -> None:
    check(text)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(WRITTEN), st.data())
def test_any_damage(content: bytes, data: st.DataObject) -> None:
    """A file of the cases with a stretch taken out and another text put in."""
    text = content.decode("utf-8", "replace")
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 30)))
    check(text[:start] + data.draw(st.one_of(pieces, st.text(max_size=5))) + text[end:])


@settings(max_examples=50, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("bytes") / "spec.yaml"
    path.write_bytes(content)
    with pytest.raises(SpecError):
        read_spec(str(path))
    with pytest.raises(SpecError):
        read_environment(str(path))
