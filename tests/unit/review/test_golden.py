"""Each report of one result with everything in it, as a file to read. SHARDWRIGHT_REWRITE=1 writes them anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from shardwright.compiler.review.report.reporters import FORMATS, report_text
from tests.unit.review.results import SOURCES, everything

GOLDEN = Path(__file__).parent / "golden"
FILES = {
    "text": "report.txt",
    "json": "report.json",
    "github": "annotations.txt",
    "sarif": "report.sarif",
    "markdown": "comment.md",
}


@pytest.mark.parametrize("name", FORMATS)
def test_golden(name: str) -> None:
    text = report_text(name, everything(), SOURCES)
    file = GOLDEN / FILES[name]
    if os.environ.get("SHARDWRIGHT_REWRITE") and not os.environ.get("CI"):
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


def test_every_format_has_a_file() -> None:
    assert tuple(FILES) == FORMATS
