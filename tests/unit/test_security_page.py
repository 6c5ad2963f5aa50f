"""Every finding of the security reviews is held by tests that exist, or says why not; and docs/reference/security-review.md
lists them. SHARDWRIGHT_REWRITE=1 writes the page again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import yaml

TESTS: Final = Path(__file__).parents[1]
PAGE: Final = TESTS.parent / "docs" / "reference" / "security-review.md"
ROUNDS: Final[Mapping[str, list[dict[str, Any]]]] = yaml.safe_load((TESTS / "security.yaml").read_text("utf-8"))
_HEAD: Final = """\
# Findings of the security reviews, and what holds them

Generated from `tests/security.yaml`. [SECURITY.md](../../SECURITY.md) says what is promised and what is not. Each row is
a finding of the reviews of November 2026. The named tests fail without the fix.
"""


def test_every_finding_names_tests_that_exist_or_says_why_there_is_none() -> None:
    assert [finding["number"] for finding in ROUNDS["first"]] == list(range(1, 28))
    for finding in (finding for findings in ROUNDS.values() for finding in findings):
        assert bool(finding.get("held")) != bool(finding.get("none")), finding["number"]
        for file, _, name in (held.partition("::") for held in finding.get("held", ())):
            text = (TESTS / file).read_text(encoding="utf-8")
            assert re.search(rf"^def {name}\(", text, re.MULTILINE), (finding["number"], name)


def test_the_page_is_current() -> None:
    current = "\n".join(_lines()) + "\n"
    if os.environ.get("SHARDWRIGHT_REWRITE") and not os.environ.get("CI"):
        PAGE.write_text(current, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == current, "SHARDWRIGHT_REWRITE=1 pytest tests/unit/test_security_page.py"


def _lines() -> Iterator[str]:
    yield _HEAD
    for title, findings in ROUNDS.items():
        yield f"## The {title} round\n"
        yield "| # | finding | fix | held by |"
        yield "|---|---|---|---|"
        for finding in findings:
            held = [_link(one) for one in finding.get("held", ())] or [f"none: {finding['none']}"]
            yield f"| {finding['number']} | {finding['finding']} | {finding['fix']} | {'<br>'.join(held)} |"
        if title == "first":
            yield ""


def _link(held: str) -> str:
    file, _, name = held.partition("::")
    return f"[{name.removeprefix('test_')}](../../tests/{file})"
