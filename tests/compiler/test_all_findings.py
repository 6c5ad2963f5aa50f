"""One run tells everything that can be told: a sound project is broken in several places that do not depend on each
other, and what is told is what each of the breaks gives alone: nothing is hidden, and nothing follows from two of
them together.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shardwright.compiler.project.checking import compile_specs, conclude
from shardwright.compiler.project.project import Project
from shardwright.specs.findings.diagnostics import Diagnostic, Severity
from tests.compiler.breaks import BREAKS, Break

SOUND = Path(__file__).parent / "all_findings"


@pytest.fixture(scope="module", autouse=True)
def _in_a_folder_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("project")
        shutil.copytree(SOUND, folder, dirs_exist_ok=True)
        patch.chdir(folder)
        yield


Reported = tuple[str, str, int, str]
"""A finding without its column, which moves when two breaks share a line."""


@cache
def _find(breaks: tuple[Break, ...]) -> frozenset[tuple[Severity, Reported]]:
    texts = {path: path.read_text("utf-8") for path in SOUND.rglob("*.*")}
    for each in breaks:
        path = SOUND / each.file
        assert texts[path].count(each.old) == 1, f"{each.old!r} stands {texts[path].count(each.old)} times"
        texts[path] = texts[path].replace(each.old, each.new)
    for path, text in texts.items():
        Path(path.relative_to(SOUND)).write_text(text, "utf-8")
    project = Project(Path())
    found = conclude("compile", compile_specs(project, [Path("spec.yaml")]), project=project).visible_findings
    return frozenset((item.severity, _as_reported(item)) for item in found)


def _as_reported(item: Diagnostic) -> Reported:
    return item.code, item.span.file, item.span.line, item.message


def _of(severity: Severity, breaks: Iterable[Break]) -> set[Reported]:
    return {reported for one, reported in _find(tuple(breaks)) if one is severity}


def test_the_project_is_sound() -> None:
    assert _of(Severity.ERROR, ()) == set()


@pytest.mark.parametrize("one", BREAKS, ids=str)
def test_a_break_gives_its_codes_and_no_other(one: Break) -> None:
    assert sorted(code for code, *_ in _of(Severity.ERROR, [one])) == sorted(one.codes)
    assert _of(Severity.WARNING, [one]) <= _of(Severity.WARNING, [])


@st.composite
def breaks_apart(draw: st.DrawFn) -> tuple[Break, ...]:
    """Two to six breaks, none of which stands in another's way."""
    chosen: list[Break] = []
    for each in draw(st.permutations(BREAKS)):
        if all(each.is_apart_from(other) for other in chosen):
            chosen.append(each)
    number = draw(st.integers(2, 6))
    return tuple(sorted(chosen[:number], key=BREAKS.index))


@settings(max_examples=60, deadline=None)
@given(breaks_apart())
def test_breaks_that_are_apart_are_reported_together(breaks: tuple[Break, ...]) -> None:
    alone = set().union(*(_of(Severity.ERROR, [each]) for each in breaks))
    assert _of(Severity.ERROR, breaks) == alone
    assert _of(Severity.WARNING, breaks) <= _of(Severity.WARNING, [])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(BREAKS), min_size=2, max_size=4, unique=True))
def test_breaks_in_each_others_way_give_nothing_new(breaks: list[Break]) -> None:
    """One may hide what is told of another, but no finding is about both."""
    if any(one.overlaps(other) for one in breaks for other in breaks if one is not other):
        return
    alone = set().union(*(_of(Severity.ERROR, [each]) for each in breaks))
    together = _of(Severity.ERROR, sorted(breaks, key=BREAKS.index))
    assert together <= alone
    assert together
