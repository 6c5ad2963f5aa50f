"""A checkout whose files are links, pipes or devices: no command reads, prints or writes what is not the project's."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.cli.conftest import Call, files_below

SECRET = "hunter2"
OFFLINE = (("validate",), ("compile",), ("compile", "--check"), ("show", "orders"), ("dry-run",))
# What stands in the project, and the commands that read it.
READ = {
    "specs/z.yaml": OFFLINE,
    "tests/z.yaml": (("test",),),
    "schema/shop.sql": (("compile",), ("compile", "--check")),
    "ddl/0001_z.sql": (("compile",), ("compile", "--check")),
    "shardwright.lock": (("compile",), ("compile", "--check")),
    "environments/live.yaml": (("status", "--env", "live"),),
}
FOLDERS = {"specs": OFFLINE, "tests": (("test",),), "schema": OFFLINE[1:3], "ddl": OFFLINE[1:3], "build": OFFLINE[1:3]}
KINDS: dict[str, Callable[[Path, Path], None]] = {
    "link": lambda place, home: place.symlink_to(home / "key"),
    "process": lambda place, home: place.symlink_to("/proc/self/environ"),
    "device": lambda place, home: place.symlink_to("/dev/zero"),
    "pipe": lambda place, home: os.mkfifo(place),
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the user's beside the project."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "key").write_text(f"{SECRET}: [\n")
    for name in ("0001_mine.sql", "mine.yaml", "shop.sql"):
        (folder / name).write_text(f"{SECRET}: [\n")
    monkeypatch.setenv("AAA", SECRET)
    return folder


def contents(folder: Path) -> dict[str, str]:
    return {name: (folder / name).read_text() for name in files_below(folder)}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", READ)
def test_a_file_that_is_not_the_projects_is_refused_by_name(
    project: Path, home: Path, call: Call, place: str, kind: str
) -> None:
    if place.startswith("environments"):
        assert call("compile", "specs/one.yaml").code == 0
    path = project / place
    path.unlink(missing_ok=True)
    path.parent.mkdir(exist_ok=True)
    KINDS[kind](path, home)
    before = contents(home)
    for command in READ[place]:
        ended = call(*command)
        reported = ended.out + ended.err
        assert ended.code in (1, 6), reported
        assert ("SW1013" in reported or "SW8013" in reported) and Path(place).name in reported, reported
        assert SECRET not in reported and "SW9000" not in reported and "PATH=" not in reported
    assert contents(home) == before
    assert kind == "pipe" or path.is_symlink(), "neither replaced nor written through"


@pytest.mark.parametrize("place", FOLDERS)
def test_a_folder_that_leads_out_is_refused_by_name(project: Path, home: Path, call: Call, place: str) -> None:
    path = project / place
    if path.exists():
        path.rename(project / "was")
    path.symlink_to(home)
    before = contents(home)
    for command in FOLDERS[place]:
        ended = call(*command)
        reported = ended.out + ended.err
        assert ended.code == 1 and ("SW8013" in reported or "SW1013" in reported) and place in reported, reported
        assert SECRET not in reported
    assert contents(home) == before


def test_build_may_be_a_link_within_the_project(project: Path, call: Call) -> None:
    (project / "made").mkdir()
    (project / "build").symlink_to("made")
    assert call("compile").code == 0
    assert call("compile", "--check").code == 0
    assert (project / "made" / "one" / "manifest.json").is_file()


def test_the_project_may_be_a_link(project: Path, tmp_path: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "link").symlink_to(project)
    assert call("--project", str(tmp_path / "link"), "compile").code == 0
    monkeypatch.chdir(tmp_path / "link")
    assert call("compile", "--check").code == 0
    assert call("--project", str(tmp_path / "link"), "validate", str(project / "specs" / "one.yaml")).code == 0


@pytest.mark.parametrize("name", ["one", "one.new"])
def test_a_plans_folder_that_is_a_link_is_refused_and_what_it_leads_to_stays(
    project: Path, home: Path, call: Call, name: str
) -> None:
    (project / "build").mkdir()
    (project / "build" / name).symlink_to(home)
    before = contents(home)
    ended = call("compile")
    assert ended.code != 0 and "SW8013" in ended.err and f"build/{name}" in ended.err
    assert contents(home) == before


@pytest.mark.parametrize("name", [".compiled.json", ".compiled.json.new", ".sources.json", ".sources.json.new"])
def test_records_are_not_written_through_links(project: Path, home: Path, call: Call, name: str) -> None:
    (project / "build").mkdir()
    (project / "build" / name).symlink_to(home / "key")
    before = contents(home)
    for _ in range(2):
        assert call("compile").code == 0
    assert contents(home) == before


def test_a_link_in_a_plan_is_reported_and_not_shown(project: Path, home: Path, call: Call) -> None:
    assert call("compile").code == 0
    summary = project / "build" / "one" / "summary.md"
    summary.unlink()
    summary.symlink_to(home / "key")
    ended = call("compile", "--check")
    assert ended.code == 1 and "SW1013" in ended.err and "summary.md" in ended.err and SECRET not in ended.err
    assert call("compile").code == 0 and not summary.is_symlink()


@pytest.mark.parametrize(("place", "size"), [("schema/shop.sql", 16), ("ddl/0001_z.sql", 16), ("specs/z.yaml", 1)])
def test_files_have_a_largest_size(project: Path, call: Call, place: str, size: int) -> None:
    with open(project / place, "wb") as file:
        file.truncate(size * 1024 * 1024 + 1)
    ended = call("compile", "--check")
    assert ended.code == 1 and "SW1008" in ended.err and f"larger than {size} MiB" in ended.err


def test_a_folder_in_the_place_of_a_file_is_reported(project: Path, call: Call) -> None:
    for place in ("specs/z.yaml", "ddl/0001_z.sql"):
        (project / place).mkdir()
    ended = call("compile")
    assert ended.code == 1 and "SW1001" in ended.err and "SW2120" in ended.err and "SW9000" not in ended.err


ENVIRONMENT = """\
environment: live
source: {host: 127.0.0.1, port: 9, user: a, password: {env: AAA}}
servers: {one: {host: 127.0.0.1, port: 9, user: a, password: {env: AAA}}}
shards: {"one_db_{0..3}": one}
"""


def test_import_asks_no_server_when_the_schema_file_is_elsewhere(project: Path, home: Path, call: Call) -> None:
    (project / "environments").mkdir()
    (project / "environments" / "live.yaml").write_text(ENVIRONMENT)
    schema = project / "schema" / "shop.sql"
    schema.unlink()
    for target in (home / "key", home / "new", "/dev/zero"):
        schema.symlink_to(target)
        ended = call("import", "--env", "live", "specs/one.yaml")
        assert ended.code == 1 and "SW1013" in ended.err and "schema/shop.sql" in ended.err, ended.err
        schema.unlink()
    assert not (home / "new").exists()
    ended = call("import", "--env", "live", "specs/one.yaml")
    assert ended.code == 4, "nothing in the way: the server is asked"


def test_init_writes_through_no_link(tmp_path: Path, home: Path, call: Call) -> None:
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "specs").symlink_to(home)
    before = contents(home)
    ended = call("init", str(tmp_path / "new"))
    assert ended.code == 1 and "SW8013" in ended.err and "specs" in ended.err
    assert contents(home) == before


def test_sandbox_starts_nothing_when_its_environment_would_be_elsewhere(
    project: Path, home: Path, tmp_path: Path, call: Call
) -> None:
    (project / "environments").symlink_to(home)
    ended = call("sandbox", "up", "--folder", str(tmp_path / "servers"))
    assert ended.code == 1 and "SW8013" in ended.err and "environments/sandbox.yaml" in ended.err
    assert not (tmp_path / "servers").exists() and not (home / "sandbox.yaml").exists()


def test_a_file_that_the_operator_names_may_be_anywhere(project: Path, tmp_path: Path, call: Call) -> None:
    (project / "specs" / "one.yaml").rename(tmp_path / "one.yaml")
    (tmp_path / "link.yaml").symlink_to(tmp_path / "one.yaml")
    for name in ("one.yaml", "link.yaml"):
        assert call("validate", str(tmp_path / name)).code == 0
    assert call("compile", str(tmp_path / "link.yaml"), "--output", str(tmp_path / "out")).code == 0


# --- plans and the lock


def test_a_plan_that_the_lock_does_not_name_is_not_run(project: Path, call: Call) -> None:
    status = ("--project", ".", "status", "--env", "none", "--migration", "one")
    assert call("compile").code == 0
    assert "SW7008" in call(*status).err, "the next thing that is missing"
    lock = project / "shardwright.lock"
    text = lock.read_text()
    for wrong, said in (
        (text.replace('"one": {\n   "plan": "', '"one": {\n   "plan": "f'), "names f"),
        (text.replace('"one"', '"none"'), "does not name migration one"),
        ("<<<<<<< ours\n", "a merge left its marks"),
    ):
        assert wrong != text
        lock.write_text(wrong)
        ended = call(*status)
        assert ended.code == 6 and "SW8014" in ended.err and said in ended.err, ended.err
        assert "commit the lock" in ended.err
    lock.unlink()
    assert "SW7008" in call(*status).err, "without a lock there is nothing to hold it against"


# --- diff


@pytest.fixture
def git(project: Path) -> Callable[..., None]:
    def run(*arguments: str) -> None:
        names = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        subprocess.run(["git", "-C", str(project), *names, *arguments], check=True, capture_output=True, timeout=30)

    run("init", "--quiet")
    return run


def test_diff_skips_links_that_are_not_ours(project: Path, home: Path, call: Call, git: Callable[..., None]) -> None:
    (project / "absolute").symlink_to(home / "key")
    (project / "schema" / "relative").symlink_to("../../home/key")
    (project / "ddl" / "keep").touch()
    git("add", ".")
    git("commit", "--quiet", "-m", "one")
    ended = call("diff", "--base", "HEAD")
    assert (ended.code, ended.err) == (0, "")


@pytest.mark.parametrize("place", ["specs/z.yaml", "schema/shop.sql", "ddl/0001_z.sql", "ddl", "specs"])
def test_diff_refuses_links_of_ours_that_led_outside(
    project: Path, home: Path, call: Call, git: Callable[..., None], place: str
) -> None:
    path, kept = project / place, project.parent / "kept"
    (project / "ddl" / "keep").touch()
    if path.exists():
        path.rename(kept)
    path.symlink_to(home if place in ("ddl", "specs") else home / "key")
    git("add", ".")
    git("commit", "--quiet", "-m", "one")
    path.unlink()
    if kept.exists():
        kept.rename(path)
    ended = call("diff", "--base", "HEAD")
    assert ended.code == 2 and "SW8810" in ended.err and place in ended.err and SECRET not in ended.err, ended.err
