"""Functions that a server may lack are in no statement of ours: MySQL 9.6 moved MD5() and SHA1() into a component."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import shardwright.compiler
import shardwright.runtime
from tests.source_trees import tree_of

ROOTS = tuple(Path(str(package.__file__)).parent for package in (shardwright.runtime, shardwright.compiler))
_MOVED = re.compile(r"\b(?:MD5|SHA1?)\(")
SAID_SO = {"md5_component.py"}
"""A rule that a spec asks for, with the statement that installs the component where it is missing."""


def test_no_statement_asks_for_a_hash_that_mysql_moved() -> None:
    found = [
        f"{path.name}:{node.lineno}"
        for root in ROOTS
        for path in sorted(root.rglob("*.py"))
        if path.name not in SAID_SO
        for node in _statements(tree_of(path))
        if _MOVED.search(node.value)
    ]
    assert found == []


def _statements(tree: ast.Module) -> list[ast.Constant]:
    """Texts that begin as SQL does; a docstring does not."""
    texts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return [node for node in texts if re.match(r"\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|SET|WITH)\b", node.value)]
