"""Spark's Java begins before anything else of a `run`, except its first line. That takes a second, in
which this process imports what the run needs and asks the servers.

Runs in the process of the command; reads the environment file. Nothing heavy is imported here.
"""

from __future__ import annotations

import argparse
from contextlib import suppress

from shardwright.compiler.project.project import find_project
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.run import worker_daemon
from shardwright.runtime.sources.queue.kafka.connector import with_connector
from shardwright.runtime.spark.scratch import scratch_below
from shardwright.runtime.spark.session import begin_spark
from shardwright.specs.environment.read import read_environment
from shardwright.specs.findings.diagnostics import SpecError


def begin_early(arguments: argparse.Namespace) -> None:
    """What is wrong with the project or the environment the verb reports, and Java does not begin."""
    with suppress(SpecError, RuntimeFailure, OSError):
        project = find_project(arguments.project)
        file = project.environment_file(arguments.env)
        environment = read_environment(project.display_path(file), named=file.stem, root=project.root_of(file))
        scratch_below(None if environment.work_dir is None else str(project.root / environment.work_dir))
        begin_spark(with_connector(environment), daemon=worker_daemon.MODULE)
