"""What docs/how-it-works.md names is there: folders, modules and files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pytest

from tests.unit.docs.pages import ROOT

PAGE: Final = (ROOT / "docs" / "how-it-works.md").read_text(encoding="utf-8")
_BLOCK: Final = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_SPAN: Final = re.compile(r"`([^`\n]+)`")
_PATH: Final = re.compile(r"(specs|compiler|runtime|tests|examples)/[\w./-]*")
_DOTTED: Final = re.compile(r"(?:shardwright\.)?(?:specs|compiler|runtime)(?:\.\w+)+")


def _is_there(path: str) -> bool:
    return (ROOT / path).exists() or (ROOT / f"{path}.py").exists()


def _paths_in_page() -> Iterator[str]:
    for span in _SPAN.findall(_BLOCK.sub("", PAGE)):
        if _PATH.fullmatch(span):
            yield span
        elif _DOTTED.fullmatch(span):
            yield span.removeprefix("shardwright.").replace(".", "/")


def test_every_path_and_module_on_the_page_is_there() -> None:
    named = set(_paths_in_page())
    assert len(named) > 100
    assert sorted(path for path in named if not _is_there(path)) == []


def test_every_table_of_the_ledger_is_on_the_page() -> None:
    modules = (ROOT / "runtime" / "ledger").glob("*.py")
    tables = {name for file in modules for name in re.findall(r"CREATE TABLE IF NOT EXISTS `(\w+)`", file.read_text())}
    assert len(tables) > 15
    assert sorted(name for name in tables if f"`{name}`" not in PAGE) == []


@pytest.mark.parametrize("layer", ["specs", "compiler", "runtime"])
def test_every_room_has_its_line(layer: str) -> None:
    rooms = {path.parent.name for path in (ROOT / layer).glob("*/__init__.py")}
    assert sorted(room for room in rooms if f"`{layer}/{room}/`" not in PAGE) == []
