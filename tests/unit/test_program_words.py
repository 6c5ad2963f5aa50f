"""What the program says uses the field's words, in sentences of a bounded length: messages, help texts, descriptions of
the schemas, explanations of codes. The rule is that of the hand-written pages (`words`).
"""

from __future__ import annotations

import argparse
import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from shardwright.runtime.cli.main import build_parser
from shardwright.specs.findings.codes.registry import read_all_codes
from tests.source_trees import tree_of
from tests.unit.words import find_banned, plain, too_long_in

ROOT: Final = Path(__file__).parents[2]
LAYERS: Final = ("specs", "compiler", "runtime")

ALSO_BANNED: Final = {
    "(some|any|every)body": "someone, anyone, everyone",
    "cut off": "truncated",
    "held still|at rest": "read-only",
    "under way": "in progress, in flight, live",
    "gets? on": "makes progress",
}
"""The pages say some of these; the program says none."""
_ALSO: Final = re.compile(rf"\b({'|'.join(ALSO_BANNED)})\b", re.IGNORECASE)

FEW: Final = 3
"""A text of fewer words is a name or a part of one."""
_SQL: Final = re.compile(
    r"^\W*(?:(?:ALTER|AND|CASE|CAST|CREATE|DELETE|DROP|FROM|GRANT|GROUP|INSERT|JOIN|KEY|LEFT|LOAD|ON|ORDER|PRIMARY|REPLACE"
    r"|SELECT|SET|SHOW|START|UNION|UPDATE|VALUES|WHERE|WITH)\b|[A-Z_]+\(|\w+ AS \(\s*SELECT\b)|array<"
)
_CODE: Final = re.compile(r"\$[\w({]|\\[\w\[(.]")
"""Scripts of shells and regular expressions."""


def _literals(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Texts with their lines. Docstrings are left out. A value within a text is a code span."""
    for name, child in ast.iter_fields(node):
        for item in child if isinstance(child, list) else [child]:
            if isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant) and name == "body":
                continue
            if isinstance(item, ast.Constant) and isinstance(item.value, str):
                yield item.lineno, item.value
            elif isinstance(item, ast.JoinedStr):
                parts = (part.value if isinstance(part, ast.Constant) else "`x`" for part in item.values)
                yield item.lineno, "".join(str(part) for part in parts)
                values = (part.value for part in item.values if isinstance(part, ast.FormattedValue))
                yield from (found for value in values for found in _literals(value))
            elif isinstance(item, ast.AST):
                yield from _literals(item)


def _messages(room: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(room.rglob("*.py")) if room.is_dir() else [room]:
        name = str(path.relative_to(ROOT))
        for line, text in _literals(tree_of(path)):
            if len(text.split()) >= FEW and not _SQL.search(text) and not _CODE.search(text):
                yield f"{name}:{line}", text


def _helps(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    yield parser.prog, parser.description or ""
    yield f"{parser.prog}, at the end", parser.epilog or ""
    for action in parser._actions:
        yield f"{parser.prog} {'/'.join(action.option_strings) or action.dest}", action.help or ""
        if isinstance(action, argparse._SubParsersAction):
            for one in action._choices_actions:
                yield f"{parser.prog} {one.dest}", one.help or ""
            for child in action.choices.values():
                yield from _helps(child)


def _descriptions(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in node.items():
            if key in ("title", "description") and isinstance(value, str):
                yield value
            else:
                yield from _descriptions(value)
    elif isinstance(node, list):
        for value in node:
            yield from _descriptions(value)


def _require_plain(texts: Iterator[tuple[str, str]]) -> None:
    found = []
    for where, text in texts:
        piece = plain(" ".join(text.split()))
        found += [f"{where}: {word[0]!r} in {text!r}" for word in (*find_banned(piece), *_ALSO.finditer(piece))]
        found += [f"{where}: too long: {sentence}" for sentence in too_long_in(piece)]
    assert not found, "\n".join(found)


ROOMS: Final = sorted(
    path for layer in LAYERS for path in (ROOT / layer).iterdir() if path.is_dir() or path.suffix == ".py"
)


@pytest.mark.parametrize("room", ROOMS, ids=lambda path: str(path.relative_to(ROOT)))
def test_messages(room: Path) -> None:
    _require_plain(_messages(room))


FILES: Final = sorted(
    path
    for folder in ("runtime/cli/starter", "runtime/verify", "runtime/watch/page", "examples/ci", "examples/shop")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".yaml", ".yml", ".sql", ".j2", ".html", ".md") and "build" not in path.parts
)
"""What `init` writes, the pages for browsers, and the examples."""


@pytest.mark.parametrize("file", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files(file: Path) -> None:
    lines = enumerate(file.read_text(encoding="utf-8").splitlines(), start=1)
    found = [f"{number}: {word[0]!r} in {line}" for number, line in lines for word in find_banned(plain(line))]
    assert not found, "\n".join(found)


def test_codes() -> None:
    _require_plain((entry.code, f"{entry.title}. {entry.explanation}") for entry in read_all_codes())
    examples = ((entry.code, entry.fix) for entry in read_all_codes())
    _require_plain((code, text) for code, text in examples if not _SQL.search(text) and not _CODE.search(text))


def test_help() -> None:
    _require_plain(_helps(build_parser()))


@pytest.mark.parametrize("schema", sorted((ROOT / "specs").rglob("*.schema.json")), ids=lambda path: path.name)
def test_descriptions(schema: Path) -> None:
    texts = _descriptions(json.loads(schema.read_text(encoding="utf-8")))
    _require_plain((schema.name, text) for text in texts)


def test_the_reader_finds_messages_and_no_others() -> None:
    code = '"""A docstring it stands in."""\nsay(f"the stream stands at {place(\'a book or two\')}")\nx = "SELECT a FROM b"'
    found = [text for _, text in _literals(ast.parse(code))]
    assert found == ["the stream stands at `x`", "a book or two", "SELECT a FROM b"]
    assert [text for text in found if not _SQL.search(text)] == ["the stream stands at `x`", "a book or two"]
    assert (
        _SQL.search("\nAGGREGATE(\n a b c") and _CODE.search("for word in $(words); do") and _CODE.search(r"ended \S+")
    )
