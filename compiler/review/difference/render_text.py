"""What changes between two versions, as a table for people?

Runs in the process of the command; writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shardwright.compiler.plan.steps import SOURCE_COLUMNS, Steps
from shardwright.compiler.plan.summary import few
from shardwright.compiler.review.difference.changes import Change, SqlChanged
from shardwright.compiler.review.difference.compare import Difference
from shardwright.specs.findings.text_table import text_table


def render_text(differences: Sequence[Difference], *, base: str, with_sql: bool) -> str:
    """Ends in a line break; says so when nothing changed."""
    changed = [difference for difference in differences if difference.changes or difference.replans]
    if not changed:
        return f"nothing changed in meaning since {base}\n"
    return "\n".join("\n".join(_lines(difference, with_sql)) + "\n" for difference in changed)


def heading(difference: Difference) -> str:
    if difference.before is None:
        return f"{difference.migration}: new, plan {difference.after}"
    if difference.after is None:
        return f"{difference.migration}: no longer there, it was plan {difference.before}"
    if not difference.replans:
        return f"{difference.migration}: plan {difference.after} as before"
    return f"{difference.migration}: plan {difference.before}, now {difference.after}"


def summary(difference: Difference) -> str:
    """ "5 changes, 1 of them dangerous, 1 cannot be undone"."""
    changes = [change for change in difference.changes if not isinstance(change, SqlChanged)]
    dangerous = sum(change.risk == "danger" for change in changes)
    lasting = sum(not change.reversible for change in changes)
    text = f"{len(changes)} change{'s' if len(changes) != 1 else ''}"
    text += f", {dangerous} dangerous" if dangerous else ""
    return text + (f", {lasting} cannot be undone" if lasting else "")


def steps_words(steps: Steps) -> str:
    """What a migration that has begun under the old plan does with the new one."""
    if steps.impossible:
        words = "a migration that has begun under the old plan refuses this one (SW8203) and must be started over: "
        return words + "; ".join(steps.impossible)
    words = "a migration that has begun continues with this plan"
    if steps.added:
        words += f"; it copies {', '.join(steps.added)} beside the stream"
    for name, sources in steps.more_sources.items():
        words += f"; it copies {few(sources)} into {name} beside the stream"
    if steps.left_out:
        words += f"; its next run needs --leave-out {','.join(steps.left_out)} (SW8220)"
    if steps.other_rows:
        why = "; ".join(f"{name} differs in {_reasons(what)}" for name, what in steps.other_rows.items())
        words += f"; its next run needs --recopy {','.join(steps.other_rows)} (SW8221): {why}"
    return words


def _reasons(what: Sequence[str]) -> str:
    explained = ", if no DDL statement of the source explains them" if SOURCE_COLUMNS in what else ""
    return f"{', '.join(what)}{explained}"


def phrase(change: Change) -> str:
    return change.words if change.reversible else f"{change.words}; cannot be undone"


def _lines(difference: Difference, with_sql: bool) -> Iterator[str]:
    yield heading(difference)
    rows = [("note", "", steps_words(difference.steps))] if difference.steps is not None else []
    sql = [change for change in difference.changes if isinstance(change, SqlChanged)]
    rows += [
        (change.risk.value, change.table or "", phrase(change))
        for change in difference.changes
        if with_sql or not isinstance(change, SqlChanged)
    ]
    if rows:
        yield text_table(rows, indent=2)
    more = f"; the SQL of {len(sql)} steps differs (--sql shows it)" if sql and not with_sql else ""
    yield f"{summary(difference)}{more}"
    for change in sql if with_sql else ():
        yield f"\n{change.table or 'every table'}: {change.step}"
        yield from (f"    {line}" for line in change.diff.splitlines())
