"""`forecast`: how many rows and bytes will each shard get, by the spec as it is now? It need not be compiled to disk.

Runs in the process of the command; reads the source servers.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

from shardwright.compiler.build import CompiledPlan
from shardwright.compiler.project.checking import compile_specs
from shardwright.compiler.project.project import Project, find_project
from shardwright.runtime.cli import next_commands
from shardwright.runtime.cli.connecting import environment_of
from shardwright.runtime.cli.next_commands import SpecFacts
from shardwright.runtime.cli.reporting import write_private_file
from shardwright.runtime.failures import InputAtFault, RuntimeFailure
from shardwright.runtime.mysql.servers import servers_of
from shardwright.runtime.rehearsal.forecast.forecast import Order, forecast
from shardwright.runtime.rehearsal.forecast.render import as_json, as_text
from shardwright.specs.findings.diagnostics import SpecError
from shardwright.specs.findings.wording import did_you_mean


def execute(arguments: argparse.Namespace) -> int:
    project = find_project(arguments.project)
    compiled = _compile(project, arguments.spec)
    known = [table.logical for table in compiled.plan.tables]
    for name in arguments.table:
        if name not in known:
            hint = did_you_mean(name, known) or f"known: {', '.join(known[:10])}"
            raise InputAtFault("SW5031", f"no table '{name}' in migration {compiled.plan.migration}; {hint}")
    environment = environment_of(project, arguments, databases=compiled.plan.databases)
    order = Order(None if arguments.full else arguments.sample, arguments.seed, max(arguments.pause, 0.0))
    made = forecast(compiled, servers_of(environment, compiled.plan, os.environ), order, tables=arguments.table)
    if arguments.html:
        from shardwright.runtime.rehearsal.forecast.html_page import as_html

        write_private_file(as_html(made, environment.name), Path(arguments.html))
    if arguments.format == "json":
        answer = {**as_json(made), "next": next_commands.as_json(SpecFacts((), has_plans=False), arguments)}
        print(json.dumps(answer, indent=2, ensure_ascii=False))
    else:
        print(as_text(made))
    return 0


def _compile(project: Project, spec: str | None) -> CompiledPlan:
    files = (Path(spec).resolve(),) if spec else project.spec_files()
    if len(files) > 1:
        raise RuntimeFailure("SW8006", f"there are {len(files)} specs: name the one to forecast")
    (checked,) = compile_specs(project, files)
    if checked.compiled is None:
        raise SpecError(list(checked.findings))
    return checked.compiled
