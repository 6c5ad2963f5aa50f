"""Python source of the repository as trees, for tests that look at all of it."""

from __future__ import annotations

import ast
import gc
from pathlib import Path


def tree_of(path: Path) -> ast.Module:
    """The garbage collector rests meanwhile: Python code that it runs (a finaliser, a callback) may parse, too, and
    CPython 3.11 then ends with "AST constructor recursion depth mismatch"."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        return ast.parse(path.read_text(encoding="utf-8"))
    finally:
        if was_on:
            gc.enable()
