"""`shardwright.lock` of a project: written by `compile`, compared by `compile --check`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from shardwright.compiler.lock.compare import stale
from shardwright.compiler.lock.make import lock_of
from shardwright.compiler.lock.text import LockUnreadable, lock_text, parse_lock
from shardwright.compiler.plan import Plan
from shardwright.runtime.cli.project import Project
from shardwright.specs.diagnostics import Diagnostic
from shardwright.specs.span import Span


def write_lock(project: Project, plans: Sequence[Plan], *, whole: bool) -> bool:
    """Whether the file changed. `whole` says that `plans` are all the project has: what else the lock holds goes."""
    path, kept = _path(project), {}
    if not whole and path.exists():
        try:
            kept = dict(parse_lock(path.read_text("utf-8")).migrations)
        except LockUnreadable:
            kept = {}
    text = lock_text(lock_of(plans, kept=kept))
    if path.exists() and path.read_text("utf-8") == text:
        return False
    path.write_text(text, "utf-8", newline="\n")
    return True


def check_lock(project: Project, plans: Sequence[Plan], *, whole: bool) -> tuple[Diagnostic, ...]:
    """What is not current about the lock; empty when it is what `plans` make."""
    path = _path(project)
    shown = project.shown(path)
    if not path.exists():
        hint = "run `shardwright compile` and commit it"
        return (Diagnostic("SW8801", "this project has no shardwright.lock", Span(shown, 1, 1), hint=hint),)
    text = path.read_text("utf-8")
    try:
        locked = parse_lock(text)
    except LockUnreadable as error:
        return (Diagnostic("SW8803", f"the lock cannot be read: {error.message}", Span(shown, error.line, 1)),)
    kept = {} if whole else locked.migrations
    return stale(text, locked=locked, current=lock_of(plans, kept=kept), file=shown)


def _path(project: Project) -> Path:
    return project.root / "shardwright.lock"
