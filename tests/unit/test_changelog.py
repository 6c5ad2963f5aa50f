"""Files of `changelog.d/` have a known kind and say something to users; a release puts them into CHANGELOG.md; a branch
without one is refused.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Final

import pytest

from tests.unit.words import find_banned, plain, too_long_in

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = ROOT / "changelog.d"
MOST_WORDS: Final = 80
_PYPROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
_CONFIG: Final = _PYPROJECT["tool"]["towncrier"]
KINDS: Final = {kind["directory"]: kind for kind in _CONFIG["type"]}
FRAGMENTS: Final = sorted(path for path in FOLDER.iterdir() if path.name not in ("README.md", "template.md.jinja"))


def test_each_file_has_a_known_kind() -> None:
    wrong = [
        path.name for path in FRAGMENTS if not re.fullmatch(rf"(\+[\w-]+|\d+)\.({'|'.join(KINDS)})\.md", path.name)
    ]
    assert wrong == [], "the name is +WHAT.KIND.md: see changelog.d/README.md"


@pytest.mark.parametrize("path", FRAGMENTS, ids=lambda path: path.name)
def test_each_file_speaks_to_users(path: Path) -> None:
    text = path.read_text(encoding="utf-8").strip()
    assert text or path.name.endswith(".internal.md")
    assert len(text.split()) <= MOST_WORDS
    assert [word[0] for word in find_banned(plain(text))] == []
    assert [*too_long_in(plain(text))] == []


def test_the_next_release_is_the_version_of_the_package() -> None:
    assert _CONFIG["version"] == _PYPROJECT["project"]["version"]


def test_the_readme_names_every_kind() -> None:
    assert re.findall(r"^\| `(\w+)` \|", (FOLDER / "README.md").read_text(encoding="utf-8"), re.MULTILINE) == list(
        KINDS
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with the parts that the changelog is made of, on a branch `main` and one `change`."""
    for name in (
        "pyproject.toml",
        "CHANGELOG.md",
        ".ci/changelog",
        "changelog.d/README.md",
        "changelog.d/template.md.jinja",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "towncrier").symlink_to(Path(sys.executable).with_name("towncrier"))
    (tmp_path / ".gitignore").write_text(".venv/\n")
    _git(tmp_path, "init", "--quiet", "--initial-branch=main")
    _commit(tmp_path)
    _git(tmp_path, "checkout", "--quiet", "-b", "change")
    return tmp_path


def test_a_release_shows_what_users_see(project: Path) -> None:
    _fragment(project, "+throttle.added.md", "`throttle.bytes` caps the copy.")
    _fragment(project, "+second.fixed.md", "A run ended with SW9000.\nIt does not now.")
    _fragment(project, "+house.internal.md", "Nothing for users.")
    _commit(project)
    _run(project, ".venv/bin/towncrier", "build", "--yes", "--version", "0.1.0", "--date", "2026-12-01")
    text = (project / "CHANGELOG.md").read_text(encoding="utf-8")
    before = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert text.startswith(before[: before.index(_CONFIG["start_string"])])
    assert text.split(_CONFIG["start_string"])[1].strip() == (
        "## 0.1.0 (2026-12-01)\n\n### Added\n\n- `throttle.bytes` caps the copy.\n\n"
        "### Fixed\n\n- A run ended with SW9000.\n  It does not now."
    )
    assert sorted(path.name for path in (project / "changelog.d").iterdir()) == ["README.md", "template.md.jinja"]


def test_a_branch_brings_a_file(project: Path) -> None:
    (project / "new.py").write_text("")
    _commit(project)
    refused = _run(project, ".ci/changelog", "main", expect=1)
    assert "add changelog.d/+WHAT.KIND.md" in refused.stderr
    _fragment(project, "+new.internal.md", "")
    _commit(project)
    _run(project, ".ci/changelog", "main")
    assert "there is no nowhere here to compare with" in _run(project, ".ci/changelog", "nowhere", expect=2).stderr


def _fragment(project: Path, name: str, text: str) -> None:
    (project / "changelog.d" / name).write_text(text)


def _commit(project: Path) -> None:
    _git(project, "add", "--all")
    _git(project, "-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false",
         "commit", "--quiet", "--message", "A change")  # fmt: skip


def _git(project: Path, *arguments: str) -> None:
    _run(project, "git", *arguments)


def _run(project: Path, *command: str, expect: int = 0) -> subprocess.CompletedProcess[str]:
    program = str(project / command[0]) if "/" in command[0] else command[0]
    done = subprocess.run(
        [program, *command[1:]], cwd=project, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == expect, done.stdout + done.stderr
    return done
