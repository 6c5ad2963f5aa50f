"""docs/errors.md says what `explain` says. SHARDWRIGHT_REWRITE=1 writes it anew."""

from __future__ import annotations

import os
from pathlib import Path

from shardwright.specs.findings.codes.registry import page

PAGE = Path(__file__).parents[3] / "docs" / "errors.md"


def test_the_page_is_current() -> None:
    if os.environ.get("SHARDWRIGHT_REWRITE") and not os.environ.get("CI"):
        PAGE.write_text(page(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page()
