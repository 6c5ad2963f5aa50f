"""Cases and what became of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.rehearsal.spec_tests.compare import Mismatch, mismatches
from shardwright.runtime.rehearsal.spec_tests.diff_text import diff_lines
from shardwright.runtime.rehearsal.spec_tests.play import Performance, performances, play
from shardwright.runtime.rehearsal.spec_tests.story import Story
from shardwright.specs.findings.diagnostics import Diagnostic, Note

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True, slots=True)
class Verdict:
    """A case of a file; it passed when there are no findings."""

    story: Story
    findings: tuple[Diagnostic, ...]


def judge(spark: SparkSession, plan: Plan, stories: Sequence[Story]) -> tuple[Verdict, ...]:
    """Play all stories together; when Spark cannot, one by one to find out which."""
    from shardwright.runtime.rehearsal.dry_run.chain import SPARK_ERRORS, first_line
    from shardwright.runtime.rehearsal.dry_run.quiet_spark import quiet_spark

    with quiet_spark():
        try:
            return _played(spark, plan, stories)
        except SPARK_ERRORS as error:
            if len(stories) == 1:
                story = stories[0]
                message = f"case '{story.case.name}': Spark cannot run the plan's statements on it"
                note = Note(first_line(error))
                return (Verdict(story, (Diagnostic("SW8861", message, story.span, notes=(note,)),)),)
    return tuple(verdict for story in stories for verdict in judge(spark, plan, [story]))


def _played(spark: SparkSession, plan: Plan, stories: Sequence[Story]) -> tuple[Verdict, ...]:
    """Every story in each of its ways; of those that fail, the first is told."""
    shows = [(number, show) for number, story in enumerate(stories) for show in performances(story)]
    ends = play(spark, plan, [show for _, show in shows])
    found: dict[int, tuple[Diagnostic, ...]] = {}
    for (number, show), shards in zip(shows, ends, strict=True):
        if not found.get(number):
            found[number] = tuple(_diagnostic(each, show) for each in mismatches(show.story, plan, shards))
    return tuple(Verdict(story, found[number]) for number, story in enumerate(stories))


def _diagnostic(mismatch: Mismatch, show: Performance) -> Diagnostic:
    notes = [Note(line) for line in diff_lines(mismatch)]
    way = _way(show)
    if way:
        notes.append(Note(way))
    return Diagnostic("SW8851", f"case '{show.story.case.name}': {mismatch.where}", mismatch.span, notes=tuple(notes))


def _way(show: Performance) -> str:
    """In which of several ways the case was played."""
    said = []
    if len(show.story.cuts) > 1:
        said.append("all events in one batch" if len(show.cut) == 1 else "every event in a batch of its own")
    if len(show.story.case.copied) > 1:
        said.append(f"given rows copied {show.copied}")
    return f"played with {' and '.join(said)}" if said else ""
