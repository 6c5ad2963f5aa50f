"""`shardwright.lock` of a project: written by `compile`, compared by `compile --check`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.plan.refused import PlanRefused, ProjectRefused
from shardwright.compiler.project.project import Project
from shardwright.compiler.review.lock import LockUnreadable, lock_of, lock_text, parse_lock, stale
from shardwright.specs.files.project_files import FileRefused, read_own_text, write_file
from shardwright.specs.findings.diagnostics import Diagnostic, Span


def write_lock(project: Project, plans: Sequence[Plan], *, whole: bool) -> bool:
    """Whether the file changed. `whole` says that `plans` are all the project has: what else the lock holds goes."""
    before, kept = _text(project), {}
    if not whole and before is not None:
        try:
            kept = dict(parse_lock(before).migrations)
        except LockUnreadable:
            kept = {}
    text = lock_text(lock_of(plans, kept=kept))
    if before == text:
        return False
    write_file(_path(project), text, root=project.root)
    return True


def check_lock(project: Project, plans: Sequence[Plan], *, whole: bool) -> tuple[Diagnostic, ...]:
    """What is not current about the lock; empty when it is what `plans` make."""
    text, shown = _text(project), project.shown(_path(project))
    if text is None:
        hint = "run `shardwright compile` and commit it"
        return (Diagnostic("SW8801", "this project has no shardwright.lock", Span(shown, 1, 1), hint=hint),)
    try:
        locked = parse_lock(text)
    except LockUnreadable as error:
        return (Diagnostic("SW8803", f"the lock cannot be read: {error.message}", Span(shown, error.line, 1)),)
    kept = {} if whole else locked.migrations
    return stale(text, locked=locked, current=lock_of(plans, kept=kept), file=shown)


def require_locked(project: Project, plan: Plan) -> None:
    """What runs is what was reviewed: where the project has a lock, it has to name this very plan. Raises PlanRefused
    (SW8014)."""
    text = _text(project)
    if text is None:
        return
    file = project.shown(_path(project))
    way_out = "run `shardwright compile`, look at the difference, and commit the lock"
    try:
        locked = parse_lock(text).migrations.get(plan.migration)
    except LockUnreadable as error:
        raise PlanRefused("SW8014", f"{file}:{error.line} cannot be read: {error.message}: {way_out}") from None
    if locked is None:
        raise PlanRefused(
            "SW8014", f"{file} does not name migration {plan.migration}, whose plan is in build/: {way_out}"
        )
    if locked.plan != plan.fingerprint:
        message = f"the plan of {plan.migration} in build/ is {plan.fingerprint}, and {file} names {locked.plan}"
        raise PlanRefused("SW8014", f"{message}: {way_out}")


def _text(project: Project) -> str | None:
    """None: there is no lock. Raises ProjectRefused (SW8013)."""
    path = _path(project)
    try:
        return read_own_text(path, root=project.root)
    except FileNotFoundError:
        return None
    except FileRefused as refused:
        raise ProjectRefused("SW8013", f"{project.shown(path)} {refused.reason}") from None
    except OSError as error:
        raise ProjectRefused("SW8013", f"cannot read {project.shown(path)}: {error.strerror}") from None
    except UnicodeDecodeError:
        return ""


def _path(project: Project) -> Path:
    return project.own("shardwright.lock")
