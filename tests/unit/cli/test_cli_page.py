"""docs/cli.md says what the parser takes. SHARDWRIGHT_REWRITE=1 writes it anew."""

from __future__ import annotations

import os
from pathlib import Path

from shardwright.runtime.cli.main import VERBS
from shardwright.runtime.cli.page import page

PAGE = Path(__file__).parents[3] / "docs" / "cli.md"


def test_the_page_is_current() -> None:
    if os.environ.get("SHARDWRIGHT_REWRITE") and not os.environ.get("CI"):
        PAGE.write_text(page(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page()


def test_every_verb_and_option_says_what_it_does() -> None:
    lines = page().splitlines()
    assert {line.split()[2].strip("`") for line in lines if line.startswith("## `shardwright ")} == set(VERBS)
    assert [line for line in lines if line.startswith("* ") and line.rstrip().endswith(":")] == []
