"""As a cutover does between its fence and its switch: the way back begins where the shards' logs end."""

from __future__ import annotations

import argparse
from contextlib import closing

from shardwright.runtime.cli.connecting import Deployment, deployment
from shardwright.runtime.cutover.arm import arm
from shardwright.runtime.ledger.cutover import make_live
from shardwright.runtime.rehearsal.sandbox.accounts import allow_way_back
from shardwright.runtime.sources.open import open_sources
from shardwright.specs.direction import Direction
from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT, Job


def deploy(job: Job) -> Deployment:
    """The way there."""
    arguments = argparse.Namespace(project=job.project, env=ENVIRONMENT, migration=job.spec.migration, quiet=True)
    return deployment(arguments)


def turn_forward(job: Job) -> None:
    """The run of the way back has ended. From now on runs follow the source again."""
    forward = deploy(job)
    back = forward.reverse_deployment()
    arm(forward.plan, forward.servers, open_sources(forward.plan, forward.servers, forward.environment))
    with closing(back.servers.connect_shard(0)) as control:
        make_live(control, forward.plan.migration, {Direction.FORWARD})


def turn_back(arena: Arena, job: Job) -> None:
    """The forward run has ended. From now on runs follow the shards."""
    targets = {id(server): server for server in arena.placement.values()}
    allow_way_back(arena.source.sandbox, job.spec.source.databases, [server.sandbox for server in targets.values()])
    forward = deploy(job)
    back = forward.reverse_deployment()
    arm(back.plan, back.servers, open_sources(back.plan, back.servers, back.environment))
    with closing(forward.servers.connect_shard(0)) as control:
        make_live(control, forward.plan.migration, {Direction.BACKWARD})
