"""What a module of the runtime touches, and what the fields of large values mean, is written where they are read."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.source_trees import tree_of

ROOT = Path(__file__).resolve().parents[2]
ROOMS = (
    "mysql", "spark", "sources", "ledger", "snapshot", "ddl", "verify", "stream", "run", "rehearsal", "cutover", "history", "notify", "cli"
)  # fmt: skip
PLACE = re.compile(r"\b(driver|tasks?|command line|process|[Pp]ure)\b")
"""Where a module runs: in the driver, in Spark's tasks, in a process of its own; or it is pure: a function of its
arguments."""
MANY_FIELDS = 5


def _modules(folder: Path) -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(folder.rglob("*.py")):
        if path.name != "__init__.py":
            yield str(path.relative_to(ROOT)), tree_of(path)


@pytest.mark.parametrize("room", ROOMS)
def test_a_module_says_where_it_runs(room: str) -> None:
    silent = [
        name for name, tree in _modules(ROOT / "runtime" / room) if not PLACE.search(ast.get_docstring(tree) or "")
    ]
    assert silent == []


@pytest.mark.parametrize("room", ROOMS)
def test_fields_of_large_values_are_documented_one_by_one(room: str) -> None:
    bare = [
        f"{name}: {node.name}.{field}"
        for name, tree in _modules(ROOT / "runtime" / room)
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and _is_dataclass(node) and len(list(_fields(node))) > MANY_FIELDS
        for field, documented in _fields(node)
        if not documented and not field.startswith("_")
    ]
    assert bare == []


def _is_dataclass(node: ast.ClassDef) -> bool:
    return any("dataclass" in ast.unparse(decorator) for decorator in node.decorator_list)


def _fields(node: ast.ClassDef) -> Iterator[tuple[str, bool]]:
    """Name, and whether a docstring follows it."""
    for index, line in enumerate(node.body):
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
            behind = node.body[index + 1] if index + 1 < len(node.body) else None
            documented = isinstance(behind, ast.Expr) and isinstance(behind.value, ast.Constant)
            yield line.target.id, documented
