"""Which tests name which hazards: read from the source tree, so that no test has to be imported.

A name begins with the numbers of its hazards: `test_a1_b3_killed_while_copying` is about A1 and B3.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

NUMBER = re.compile(r"[a-j][0-9]{1,2}")


@dataclass(frozen=True, slots=True, order=True)
class NamedTest:
    """A test function and the file it stands in, as a path from the repository's root."""

    file: str
    name: str

    def __str__(self) -> str:
        return f"{self.file}::{self.name}"


def named_tests(root: Path) -> dict[str, tuple[NamedTest, ...]]:
    """Hazard number ("A1") to the tests of `root`/tests that name it, ordered by file and name."""
    found: dict[str, set[NamedTest]] = defaultdict(set)
    for path in sorted((root / "tests").rglob("test_*.py")):
        for name in _test_names(ast.parse(path.read_text(encoding="utf-8"))):
            for number in hazards_of(name):
                found[number].add(NamedTest(path.relative_to(root).as_posix(), name))
    return {number: tuple(sorted(tests)) for number, tests in found.items()}


def hazards_of(test: str) -> tuple[str, ...]:
    """The hazard numbers at the beginning of a test's name.

    >>> hazards_of("test_a1_b3_killed_while_copying")
    ('A1', 'B3')
    """
    words = test.removeprefix("test_").split("_")
    return tuple(word.upper() for word in itertools.takewhile(NUMBER.fullmatch, words))


def _test_names(module: ast.Module) -> Iterator[str]:
    """Functions and methods that pytest takes for tests; a state machine's `TestCase = Machine.TestCase` by its name."""
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield node.name
        if isinstance(node, ast.Assign):
            yield from (
                target.id for target in node.targets if isinstance(target, ast.Name) and target.id.startswith("test_")
            )
