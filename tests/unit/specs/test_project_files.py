"""Files of a project: what leads out of it is neither read nor written, and nothing waits."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from shardwright.specs.files.project_files import (
    FileRefused,
    FileTooLarge,
    files_in,
    make_folder,
    read_file,
    write_file,
)

SECRET = "AWS_SECRET_ACCESS_KEY=hunter2"


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "key").write_text(SECRET)
    return tmp_path / "home"


@pytest.fixture
def root(tmp_path: Path, outside: Path) -> Path:
    (tmp_path / "project" / "specs").mkdir(parents=True)
    return tmp_path / "project"


Make = Callable[[Path, Path], None]
REFUSED: dict[str, Make] = {
    "link": lambda place, outside: place.symlink_to(outside / "key"),
    "relative link": lambda place, outside: place.symlink_to("../../home/key"),
    "link to a link": lambda place, outside: (
        place.with_name("other").symlink_to(outside / "key"),
        place.symlink_to("other"),
    )[1],
    "proc": lambda place, outside: place.symlink_to("/proc/self/environ"),
    "own folder by proc": lambda place, outside: place.symlink_to("/proc/self/root/etc/passwd"),
    "device": lambda place, outside: place.symlink_to("/dev/zero"),
    "pipe": lambda place, outside: os.mkfifo(place),
    "git": lambda place, outside: (
        (place.parents[1] / ".git").mkdir(),
        (place.parents[1] / ".git" / "config").touch(),
        place.symlink_to("../.git/config"),
    )[2],
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_not_the_projects_is_not_read(root: Path, outside: Path, kind: str) -> None:
    place = root / "specs" / "a.yaml"
    REFUSED[kind](place, outside)
    with pytest.raises(FileRefused):
        read_file(place, root=root, limit=100)


def test_folders_on_the_way_count(root: Path, outside: Path) -> None:
    (root / "ddl").symlink_to(outside)
    with pytest.raises(FileRefused, match="leads out of the project"):
        read_file(root / "ddl" / "key", root=root, limit=100)
    with pytest.raises(FileRefused, match="leads out of the project"):
        files_in(root / "ddl", "", root=root)
    with pytest.raises(FileRefused, match="leads out of the project"):
        write_file(root / "ddl" / "new", "text", root=root)
    with pytest.raises(FileRefused, match="leads out of the project"):
        make_folder(root / "ddl" / "new", root=root)
    assert [path.name for path in outside.iterdir()] == ["key"]


def test_links_within_the_project_are_followed_and_the_project_may_be_one(root: Path, tmp_path: Path) -> None:
    (root / "specs" / "a.yaml").write_text("a")
    (root / "b.yaml").symlink_to("specs/a.yaml")
    (root / "other").symlink_to("specs")
    (tmp_path / "link").symlink_to(root)
    for top in (root, tmp_path / "link"):
        for name in ("b.yaml", "other/a.yaml", "specs/a.yaml"):
            assert read_file(top / name, root=top, limit=1) == b"a"
        assert files_in(top / "other", ".yaml", root=top) == (top / "other" / "a.yaml",)


def test_sizes(root: Path) -> None:
    (root / "a").write_bytes(b"12345")
    assert read_file(root / "a", root=root, limit=5) == b"12345"
    with pytest.raises(FileTooLarge):
        read_file(root / "a", root=root, limit=4)


def test_a_folder_in_the_place_of_a_file_is_an_error_of_the_system(root: Path) -> None:
    with pytest.raises(IsADirectoryError):
        read_file(root / "specs", root=root, limit=5)


def test_a_link_is_replaced_and_what_it_leads_to_stays(root: Path, outside: Path) -> None:
    place = root / "lock"
    place.symlink_to(outside / "key")
    write_file(place, "new", root=root)
    assert (outside / "key").read_text() == SECRET
    assert place.read_text() == "new" and not place.is_symlink()
    assert sorted(os.listdir(root)) == ["lock", "specs"]


def test_what_cannot_be_written_leaves_nothing(root: Path) -> None:
    with pytest.raises(OSError):
        write_file(root / "specs", "text", root=root)
    assert os.listdir(root) == ["specs"]
