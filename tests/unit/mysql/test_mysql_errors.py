"""The servers' error numbers have names, and the names are in one module."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import shardwright.runtime
from tests.source_trees import tree_of

RUNTIME = Path(str(shardwright.runtime.__file__)).parent
NUMBERS = range(1000, 5000)


def test_no_error_number_is_written_elsewhere() -> None:
    found = [
        f"{path.relative_to(RUNTIME)}:{line}"
        for path in sorted(RUNTIME.rglob("*.py"))
        if path != RUNTIME / "mysql" / "errors.py"
        for line in _numbers(tree_of(path))
    ]
    assert found == []


def _numbers(tree: ast.Module) -> Iterator[int]:
    """Sets of such numbers, and comparisons of what an error holds with one."""
    for node in ast.walk(tree):
        match node:
            case ast.Set(elts=[_, *_] as elements) if all(map(_is_number, elements)):
                yield node.lineno
            case ast.Compare(left=left, comparators=[right]) if _is_number(right) and "args" in ast.unparse(left):
                yield node.lineno


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value in NUMBERS
