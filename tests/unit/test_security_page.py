"""Every finding of the review is held by tests that exist, or says why not."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
PAGE = (TESTS.parent / "docs" / "security.md").read_text(encoding="utf-8")


def test_every_finding_names_tests_that_exist_or_says_why_there_is_none() -> None:
    rows = re.findall(r"^\| (S?\d+) \|.*\| (.*) \|$", PAGE, re.MULTILINE)
    assert [int(number) for number, _ in rows if number.isdigit()] == list(range(1, 28))
    for number, held in rows:
        named = re.findall(r"`([\w/]+\.py)::(\w+)`", held)
        assert named or held.startswith("none: "), number
        for file, name in named:
            assert re.search(rf"^def {name}\(", (TESTS / file).read_text(encoding="utf-8"), re.MULTILINE), (
                number,
                name,
            )
