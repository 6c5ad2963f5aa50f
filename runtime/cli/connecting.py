"""From what does every connecting verb start? From the plan on disk, the environment and the servers' addresses.

Runs in the process of the command; reads files and secrets, connects to no server yet.
"""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import closing
from dataclasses import dataclass, replace

import pymysql

from shardwright.compiler.plan.files import read_plan
from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.plan.refusals import PlanRefused
from shardwright.compiler.project.compiled_files import files_changed_since
from shardwright.compiler.project.lock_file import require_locked
from shardwright.compiler.project.project import Project, find_project
from shardwright.runtime.cli.attempts import begin_as
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.ledger.cutover import FINISHED, live_directions
from shardwright.runtime.mysql.servers import Servers, servers_of
from shardwright.runtime.spark.scratch import scratch_below
from shardwright.specs.direction import Direction
from shardwright.specs.environment.environment import Environment
from shardwright.specs.environment.read import read_environment


@dataclass(frozen=True, slots=True)
class Deployment:
    """What a connecting verb works with."""

    project: Project
    plan: Plan
    environment: Environment
    servers: Servers

    def live_directions(self) -> frozenset[Direction]:
        """Those in which changes go now. Asks the first shard. Where it does not answer, what follows says so. Raises
        Refused (SW8219) for a migration that is finished."""
        try:
            with closing(self.servers.connect_shard(0)) as connection:
                return live_directions(connection, self.plan.migration)
        except (RuntimeFailure, pymysql.err.MySQLError) as error:
            if isinstance(error, RuntimeFailure) and error.code == FINISHED:
                raise
            return frozenset({Direction.FORWARD})

    def is_finished(self) -> bool:
        """Whether `cutover finish` has ended the migration, as far as the first shard answers."""
        try:
            self.live_directions()
        except RuntimeFailure as failure:
            return failure.code == FINISHED
        return False

    def in_force(self) -> Deployment:
        """This way, or after a cutover the way back."""
        return self if self.plan.direction in self.live_directions() else self.reverse_deployment()

    def live_deployments(self) -> tuple[Deployment, ...]:
        """This way, the way back, or both while buckets move one by one."""
        live = self.live_directions()
        back = (self.reverse_deployment(),) if self.plan.direction.opposite in live else ()
        return (*((self,) if self.plan.direction in live else ()), *back)

    def require_same_buckets(self) -> None:
        """Where both directions are live. Raises Refused (SW8934)."""
        from shardwright.runtime.ledger.same_buckets import require_same_buckets

        with closing(self.servers.connect_shard(0)) as home:
            require_same_buckets(home, self.plan)

    def find_way_back(self) -> Deployment | None:
        """The way back; None where the plan has none."""
        try:
            return self.reverse_deployment()
        except PlanRefused:
            return None

    def reverse_deployment(self) -> Deployment:
        """The way back. Raises PlanRefused (SW8001) where the plan has none."""
        plan = read_plan(self.project.plan_folder(self.plan.migration) / "backward")
        return replace(self, plan=plan, servers=servers_of(self.environment, plan, os.environ))


def deployment(arguments: argparse.Namespace) -> Deployment:
    """Reads plan and environment, and checks that the plan is current.

    Raises PlanRefused, SpecError, RuntimeFailure.
    """
    project = find_project(arguments.project)
    plan = read_plan(project.plan_folder(arguments.migration or only_migration(project)))
    require_locked(project, plan)
    environment = environment_of(project, arguments, databases=plan.databases)
    root = str(project.root.resolve())
    environment = replace(
        environment, cutover=environment.cutover.within(root), on_event=environment.on_event.within(root)
    )
    _require_fresh(project, plan, environment)
    begin_as(arguments, plan)
    scratch_below(None if environment.work_dir is None else str(project.root / environment.work_dir))
    return Deployment(project, plan, environment, servers_of(environment, plan, os.environ))


def deployment_of(arguments: argparse.Namespace, migration: str | None) -> Deployment:
    """The same of that migration, whichever `arguments` name. None: the only one."""
    return deployment(argparse.Namespace(**{**vars(arguments), "migration": migration}))


def environment_of(
    project: Project, arguments: argparse.Namespace, *, databases: tuple[str, ...] | None = None
) -> Environment:
    """The environment of --env, which has to have a server for each of `databases`. Raises SpecError."""
    file = project.environment_file(arguments.env)
    return read_environment(
        project.display_path(file), databases=databases, named=file.stem, root=project.root_of(file)
    )


def _require_fresh(project: Project, plan: Plan, environment: Environment) -> None:
    """Warns of a plan whose files were changed since it was compiled, and refuses it in a protected environment.

    Raises PlanRefused (SW8010).
    """
    changed = files_changed_since(project, plan.migration)
    if not changed:
        return
    names = ", ".join(changed[:3]) + (f" and {len(changed) - 3} more" if len(changed) > 3 else "")
    message = f"the plan of {plan.migration} is older than {names}: run `shardwright compile`"
    if environment.protected:
        raise PlanRefused("SW8010", f"{message}; environment {environment.name} is protected")
    print(f"warning SW8010: {message}; the plan as it was compiled is used", file=sys.stderr)


def only_migration(project: Project) -> str:
    """The project's only compiled migration.

    Raises PlanRefused (SW8001) when there is none, RuntimeFailure (SW8006) when there are several.
    """
    found = sorted(path.parent.name for path in project.own("build").glob("*/manifest.json"))
    if len(found) == 1:
        return found[0]
    if found:
        raise RuntimeFailure("SW8006", f"several migrations are compiled ({', '.join(found)}): choose with --migration")
    raise PlanRefused(
        "SW8001", f"there is no plan in {project.display_path(project.root / 'build')}: run `shardwright compile`"
    )
