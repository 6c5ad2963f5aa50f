"""The ledger is one room: all SQL on its tables is there, and FORMAT guards every table of it (contract C1)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import shardwright.runtime
from shardwright.runtime.ledger import dropped_triggers, heartbeat, tables
from tests.source_trees import tree_of

RUNTIME = Path(str(shardwright.runtime.__file__)).parent
STATEMENT = re.compile(
    r"\b(SELECT|INSERT|UPDATE|DELETE|REPLACE|CREATE|LOCK|FROM|INTO)\b.*\b_shardwright_\w+", re.DOTALL
)


def _texts(path: Path) -> Iterator[str]:
    """Strings of a module, without docstrings."""
    tree = tree_of(path)
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value.value = ""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_no_statement_on_the_ledger_is_written_elsewhere() -> None:
    found = [
        f"{path.relative_to(RUNTIME)}: {text[:80]}"
        for path in sorted(RUNTIME.rglob("*.py"))
        if "ledger" not in path.relative_to(RUNTIME).parts[:1]
        for text in _texts(path)
        if STATEMENT.search(text)
    ]
    assert found == []


def test_every_table_of_the_ledger_has_its_format() -> None:
    made = {
        name
        for path in (RUNTIME / "ledger").glob("*.py")
        for text in _texts(path)
        for name in re.findall(r"CREATE TABLE IF NOT EXISTS `?(_shardwright_\w+)", text)
    }
    guarded = re.findall(r"EXISTS `?(_shardwright_\w+)", " ".join((*tables.EVERY_SHARD, *tables.FIRST_SHARD)))
    assert len(guarded) == len(set(guarded)) > 15
    (beats,) = re.findall(r"_shardwright_\w+", heartbeat.TABLE)
    (dropped,) = re.findall(r"EXISTS `(_shardwright_\w+)", dropped_triggers.TABLE)
    assert made - set(guarded) == {"_shardwright_ledger", beats, dropped}, (
        "the first has the format; beats say nothing of data; a cutover makes the last one, beside the source only"
    )
