"""Work in two processes gives what one gives: in order, with its errors, and when the copy dies."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from shardwright.compiler.build import build_plan
from shardwright.compiler.plan.files import current_files, plan_files, write_plan
from shardwright.compiler.project.many_tables import in_two_processes
from shardwright.specs.spec.read import read_spec
from tests.bench.compile.project import write_project

ITEMS = tuple(range(100))

pytestmark = pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2, reason="one processor: there is no copy"
)


@pytest.fixture
def one_processor() -> Iterator[None]:
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    yield
    os.sched_setaffinity(0, allowed)


def _who(item: int) -> tuple[int, int]:
    return item, os.getpid()


def test_every_other_item_is_done_by_the_copy() -> None:
    made = in_two_processes(_who, ITEMS)

    assert [item for item, _ in made] == list(ITEMS)
    assert {who for _, who in made[::2]} == {os.getpid()}
    assert len({who for _, who in made}) == 2


def test_few_items_are_done_here() -> None:
    assert {who for _, who in in_two_processes(_who, ITEMS[:20])} == {os.getpid()}


@pytest.mark.usefixtures("one_processor")
def test_on_one_processor_all_is_done_here() -> None:
    assert {who for _, who in in_two_processes(_who, ITEMS)} == {os.getpid()}


@pytest.fixture
def copies(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The copies that were made, by process id: other tests of the session have children of their own."""
    made: list[int] = []
    fork = os.fork

    def note() -> int:
        if copy := fork():
            made.append(copy)
        return copy

    monkeypatch.setattr(os, "fork", note)
    return made


def _require_gone(copies: list[int]) -> None:
    (copy,) = copies
    with pytest.raises(ChildProcessError):
        os.waitpid(copy, os.WNOHANG)


@pytest.mark.parametrize("item", [40, 41])
def test_an_error_is_reported_wherever_it_was(copies: list[int], item: int) -> None:
    def work(each: int) -> int:
        if each == item:
            raise KeyError(each)
        return each

    with pytest.raises(KeyError, match=str(item)):
        in_two_processes(work, ITEMS)
    _require_gone(copies)


def test_the_part_of_a_copy_that_dies_is_done_here() -> None:
    here = os.getpid()

    def work(each: int) -> int:
        if os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return each

    assert in_two_processes(work, ITEMS) == list(ITEMS)


def test_interrupted_the_copy_goes_too(copies: list[int]) -> None:
    here = os.getpid()

    def work(each: int) -> int:
        if os.getpid() == here:
            raise KeyboardInterrupt
        signal.pause()
        return each

    with pytest.raises(KeyboardInterrupt):
        in_two_processes(work, ITEMS)
    _require_gone(copies)


def test_a_plan_is_the_same(tmp_path: Path) -> None:
    schema = write_project(tmp_path / "project", tables=120)
    spec = read_spec(str(tmp_path / "project" / "specs" / "large.yaml"))

    alone = build_plan(spec, schema=schema, ddl={})
    together = build_plan(spec, schema=schema, ddl={}, each=in_two_processes)

    assert together.plan == alone.plan
    assert together.warnings == alone.warnings

    folder = tmp_path / "plan"
    assert write_plan(together.plan, folder, each=in_two_processes)
    assert current_files(folder) == plan_files(alone.plan)
    _, *others = sorted(path for path in folder.iterdir() if path.is_dir())
    inodes = [path.stat().st_ino for path in others]
    (folder / alone.plan.tables[0].logical / "more.sql").touch()
    assert write_plan(together.plan, folder, each=in_two_processes)
    assert current_files(folder) == plan_files(alone.plan)
    assert [path.stat().st_ino for path in others] == inodes, "what stands is not written again"
    assert not write_plan(together.plan, folder, each=in_two_processes)
