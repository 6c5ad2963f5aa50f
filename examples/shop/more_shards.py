"""The second part of the demo: four databases of four tables become eight of eight, with `shardwright rescale`, while
the checkout takes orders.

It works on a copy of the project, because `rescale` writes a spec and a schema file into it, and `compile` a lock file.
"""

from __future__ import annotations

import os
import shutil
from contextlib import ExitStack
from pathlib import Path

from examples.shop.commands import SHOP, Project, program, say
from examples.shop.layers import MORE_SHARDS
from examples.shop.steps import NOT_AT_REST, Pauses, close, finish, follow, take_orders, there_and_back, verify

MIGRATION = MORE_SHARDS.name


def more_shards(folder: Path, cleanup: ExitStack) -> tuple[Project, Pauses]:
    """`folder` is the sandbox's. The first migration is finished, and the shop is on its shards."""
    project = _copy(folder, cleanup)
    say("the shards become the source of the next migration: its spec")
    project.shardwright("rescale", "specs/shop.yaml", "--databases", "part_{0..7}", "--suffix", "_{0..7}")
    say("a person looks at these lines of it, and changes none")
    spec = project.folder / "specs" / f"{MIGRATION}.yaml"
    print("\n".join(line for line in spec.read_text(encoding="utf-8").splitlines() if "LOOK:" in line), flush=True)

    say("an administrator makes the new databases, and an environment file says where they are")
    program("wide.py", "--folder", str(folder), "--project", str(project.folder))
    project.shardwright("compile")
    project.shardwright("preflight", *project.selection)

    environment = project.folder / "environments" / "wide.yaml"
    checkout = take_orders(folder, cleanup, "--migration", MIGRATION, "--environment", str(environment))
    say("the new shards are filled from the old ones, and follow them")
    run = follow(project, cleanup)
    project.wait_until("the snapshot is complete", lambda status: status["snapshot_complete"], run, checkout)
    say("old and new shards are compared, while orders are taken")
    verify(project)
    pauses = there_and_back(project, run, checkout)
    say("what the new shards' orders have changed is compared with the old ones, while orders are taken")
    verify(project, "--recent", expected=(0, NOT_AT_REST))
    finish(project, run)
    close(checkout)
    return project, pauses


def _copy(folder: Path, cleanup: ExitStack) -> Project:
    copy = folder / "project"
    if not os.environ.get("DEMO_KEEP"):
        cleanup.callback(shutil.rmtree, copy, ignore_errors=True)
    shutil.copytree(SHOP, copy, ignore=shutil.ignore_patterns("*.py", "__pycache__", "build", "reports"))
    return Project(copy, ("--env", "wide", "--migration", MIGRATION), SHOP / "reports" / "wide")
