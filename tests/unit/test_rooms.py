"""Every room has a page that says what it is for, and what the page names is there: paths, shared names, commits, and
numbers of hazards.
"""

from __future__ import annotations

import re
import subprocess
from typing import Final

import pytest
import yaml

from tests.rooms import ROOT, SECTIONS, page_of, read_room, room_names

ROOMS: Final = room_names()
FEWEST_WORDS, MOST_WORDS = 150, 400
_SPAN: Final = re.compile(r"`([^`\n]+)`")
_PATH: Final = re.compile(r"(?:specs|compiler|runtime|tests|examples|docs|\.ci)/[\w./-]*")
_SHARED: Final = re.compile(r"^\* `([\w/.]+)`(?: \(((?:`\w+`(?:, )?)+)\))?: \S", re.MULTILINE)
_COMMIT: Final = re.compile(r"\b[0-9a-f]{8}\b")
_HAZARDS: Final = re.compile(r"\bhazards?\s+((?:[A-K]\d+(?:,?\s+(?:and\s+)?)?)+)")


def test_every_folder_of_a_layer_is_a_room() -> None:
    folders = {
        f"{layer}/{path.parent.name}"
        for layer in ("specs", "compiler", "runtime")
        for path in (ROOT / layer).glob("*/__init__.py")
    }
    assert sorted(ROOMS) == sorted(folders)


def test_every_room_has_a_page() -> None:
    assert [name for name in ROOMS if not page_of(name).exists()] == []


@pytest.mark.parametrize("name", ROOMS)
def test_the_page_has_its_parts(name: str) -> None:
    room = read_room(name)
    assert room.text.startswith(f"# {name}\n\n")
    assert tuple(room.sections) == SECTIONS
    assert FEWEST_WORDS <= len(room.text.split()) <= MOST_WORDS
    rules = re.split(r"^\* ", room.sections["Rules"], flags=re.MULTILINE)[1:]
    assert len(rules) >= 2
    assert [rule for rule in rules if not rule.startswith("**")] == [], "a rule begins in bold"
    assert [rule for rule in rules if not (_COMMIT.search(rule) or _HAZARDS.search(rule))] == [], (
        "a rule names the commit or the hazard behind it"
    )


@pytest.mark.parametrize("name", ROOMS)
def test_paths_of_the_page_are_there(name: str) -> None:
    room = read_room(name)
    assert [span for span in _SPAN.findall(room.text) if _PATH.fullmatch(span) and not (ROOT / span).exists()] == []
    assert room.tests
    assert [path for path in room.tests if not path.startswith("tests/")] == []


@pytest.mark.parametrize("name", ROOMS)
def test_shared_names_are_in_their_files(name: str) -> None:
    section = read_room(name).sections[SECTIONS[1]]
    bullets = _SHARED.findall(section)
    assert len(bullets) == len(re.findall(r"^\* ", section, re.MULTILINE)) > 0, (
        "* `file.py` (`name`, `name`): what it does"
    )
    missing = []
    for path, names in bullets:
        file = ROOT / name / path
        text = file.read_text(encoding="utf-8") if file.is_file() else ""
        missing += [path] if not file.exists() else []
        missing += [
            f"{path}: {word}"
            for word in _SPAN.findall(names)
            if not re.search(rf"^(?:async )?(?:def |class )?{word}\b", text, re.MULTILINE)
        ]
    assert missing == []


def test_hazards_of_the_pages_are_known() -> None:
    known = set(yaml.safe_load((ROOT / "tests" / "hazards.yaml").read_text(encoding="utf-8")))
    named = {
        (name, number)
        for name in ROOMS
        for numbers in _HAZARDS.findall(read_room(name).text)
        for number in re.findall(r"[A-K]\d+", numbers)
    }
    assert len(named) > 40
    assert sorted(pair for pair in named if pair[1] not in known) == []


def test_commits_of_the_pages_are_in_the_history() -> None:
    named = sorted({commit for name in ROOMS for commit in _COMMIT.findall(read_room(name).text)})
    assert len(named) > 40
    if _git("rev-parse", "--is-shallow-repository").stdout.strip() != "false":
        pytest.skip("the history is not here")
    kinds = _git("cat-file", "--batch-check=%(objecttype)", given="\n".join(named)).stdout.splitlines()
    assert [commit for commit, kind in zip(named, kinds, strict=True) if kind != "commit"] == []


def _git(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["git", *arguments], cwd=ROOT, input=given, capture_output=True, text=True, check=False, timeout=60
    )
