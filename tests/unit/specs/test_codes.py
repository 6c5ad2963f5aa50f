"""Every code that is used is explained, once, and every finding about a file has a case that shows it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from shardwright.specs.findings.codes.registry import (
    RANGES,
    UnknownCode,
    explain,
    find_code,
    read_all_codes,
    read_code,
)
from shardwright.specs.findings.remedies import BY_NAME

ROOT = Path(__file__).parents[3]
FILES = sorted((ROOT / "specs" / "findings" / "codes").glob("*.md"))
ALL_CODES = read_all_codes()
KNOWN = {entry.code for entry in ALL_CODES}
WITHOUT_A_CASE = {
    "SW1001": "about a file that is not there: test_yaml_source.py",
    "SW1008": "about a file of more than 1 MiB: test_yaml_source.py",
    "SW1013": "about links, pipes and devices: tests/unit/cli/test_foreign_files.py",
    "SW7003": "about a place outside the files: test_secret_references.py",
    "SW7017": "about the name of the file: tests/unit/cli/test_consent.py",
}


def codes_in(*folders: str) -> Iterator[str]:
    for folder in folders:
        for path in (ROOT / folder).rglob("*.py"):
            if path.name != "diagnostics.py":  # which lists those that may be silenced
                yield from re.findall(r'"(SW[0-9]{4})"', path.read_text("utf-8"))


def codes_in_advice() -> set[str]:
    path = ROOT / "specs" / "findings" / "diagnostics.py"
    return set(re.findall(r'"(SW[0-9]{4})"', path.read_text("utf-8")))


@pytest.mark.parametrize("folder", ["specs", "compiler", "runtime"])
def test_every_used_code_is_registered(folder: str) -> None:
    assert sorted(set(codes_in(folder)) - KNOWN) == []


def test_advice_is_registered() -> None:
    assert sorted(codes_in_advice() - KNOWN) == []


def test_entries_are_complete_and_in_order() -> None:
    """Across the files, too; within one the reader sees to it."""
    assert len(ALL_CODES) > 500
    for entry in ALL_CODES:
        assert entry.code[:3] in RANGES
        assert entry.title and not entry.title.endswith(".")
        assert entry.explanation.endswith("."), entry.code
    for before, after in pairwise(ALL_CODES):
        assert before.code < after.code


def test_one_file_is_the_place_of_a_code() -> None:
    names = [file.stem for file in FILES]
    assert [(short, name) for short in names for name in names if short != name and name.startswith(short)] == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_lines_of_a_file_are_no_longer_than_elsewhere(file: Path) -> None:
    assert max(map(len, file.read_text("utf-8").splitlines())) <= 120


def test_every_hole_is_filled() -> None:
    """The reader refuses a hole that it does not know. Here: one that is misspelt so that it is none any more."""
    for entry in ALL_CODES:
        assert not [name for name in BY_NAME if name in entry.explanation or name in entry.fix], entry.code
        text = re.sub(r"`[^`]*`", "", entry.explanation)
        assert not re.search(r"\{[\w -]*\}|\{\w", re.sub(r"\{\w+(: \w+|\.\.\w+)\}", "", text)), entry.code


def test_every_filling_is_used() -> None:
    text = "".join(file.read_text("utf-8") for file in FILES)
    assert [name for name in BY_NAME if f"{{{name}}}" not in text] == []


_WATCH = """
import sys
opened = []
sys.addaudithook(lambda event, arguments: opened.append(str(arguments[0])) if event == "open" else None)
import shardwright.compiler.review.report.sarif, shardwright.runtime.cli.attempts, shardwright.runtime.cli.main
import shardwright.runtime.cli.verb_explain, shardwright.specs.suppressions.apply
imported = [path for path in opened if path.endswith(".md")]
from shardwright.specs.findings.codes.registry import explain
explain("SW8207")
print(imported, [path.rpartition("/")[2] for path in opened if path.endswith(".md")])
"""


def test_imports_read_no_file_and_explaining_reads_one() -> None:
    done = subprocess.run([sys.executable, "-c", _WATCH], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "[] ['SW82.md']\n"


def test_every_code_of_this_package_has_a_case() -> None:
    shown = {
        code
        for path in (ROOT / "tests" / "cases" / "invalid").rglob("expected.txt")
        for code in re.findall(r" (SW[0-9]{4}):", path.read_text("utf-8"))
    }
    assert sorted(set(codes_in("specs")) - shown - set(WITHOUT_A_CASE)) == []


@pytest.mark.parametrize("code", sorted(KNOWN))
def test_explain(code: str) -> None:
    text = explain(code.lower())
    assert text.startswith(f"{code}: {read_code(code).title} ({RANGES[code[:3]]})\n\n")
    assert text.endswith("\n") and not text.endswith("\n\n")
    assert max(map(len, text.splitlines())) <= 120


def test_explain_of_an_unknown_code() -> None:
    with pytest.raises(UnknownCode, match="there is no code 'SW11O1': a code is"):
        explain("SW11O1")
    assert [find_code(code) for code in ("SW11O1", "SW1", "SW8299", "8207", "", "SW0001")] == [None] * 6


def test_explain_takes_a_code_as_people_write_it() -> None:
    assert explain("8207") == explain(" sw8207\n") == explain("SW8207")
