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

from tests.source_trees import tree_of

NUMBER = re.compile(r"[a-j][0-9]{1,2}")
_LONG = "pytest.mark.long"


@dataclass(frozen=True, slots=True, order=True)
class NamedTest:
    """A test function and the file it stands in, as a path from the repository's root."""

    file: str
    name: str
    long: bool = False
    """`make test` leaves it out, `make test-all` has it."""

    def __str__(self) -> str:
        return f"{self.file}::{self.name}"


def find_named_tests(root: Path) -> dict[str, tuple[NamedTest, ...]]:
    """Hazard number ("A1") to the tests of `root`/tests that name it, ordered by file and name."""
    found: dict[str, set[NamedTest]] = defaultdict(set)
    for path in sorted((root / "tests").rglob("test_*.py")):
        for name, is_long in _test_names(tree_of(path)):
            for number in hazards_of(name):
                found[number].add(NamedTest(path.relative_to(root).as_posix(), name, is_long))
    return {number: tuple(sorted(tests)) for number, tests in found.items()}


def hazards_of(test: str) -> tuple[str, ...]:
    """The hazard numbers at the beginning of a test's name.

    >>> hazards_of("test_a1_b3_killed_while_copying")
    ('A1', 'B3')
    """
    words = test.removeprefix("test_").split("_")
    return tuple(word.upper() for word in itertools.takewhile(NUMBER.fullmatch, words))


def _test_names(module: ast.Module) -> Iterator[tuple[str, bool]]:
    """Functions and methods that pytest takes for tests, and whether all of each is `long`; a state machine's
    `TestCase = Machine.TestCase` by its name."""
    all_long = any(_marks(node) and _is_long(node.value) for node in module.body if isinstance(node, ast.Assign))
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield node.name, all_long or any(ast.unparse(each) == _LONG for each in node.decorator_list)
        if isinstance(node, ast.Assign):
            yield from (
                (target.id, all_long)
                for target in node.targets
                if isinstance(target, ast.Name) and target.id.startswith("test_")
            )


def _marks(node: ast.Assign) -> bool:
    return [ast.unparse(target) for target in node.targets] == ["pytestmark"]


def _is_long(marks: ast.expr) -> bool:
    return _LONG in (
        [ast.unparse(each) for each in marks.elts] if isinstance(marks, ast.List) else [ast.unparse(marks)]
    )
