"""`preflight`: would `run` start? It makes all checks that come before the first write. Exit 0, 6 (refused) or 4 (could
not be asked).

Runs in the process of the command; reads source servers, shards and ledgers, writes nothing.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence

from shardwright.compiler.project.checking import compile_specs
from shardwright.runtime.cli import next_commands
from shardwright.runtime.cli.connecting import Deployment, deployment
from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.cli.next_commands import PreflightFacts
from shardwright.runtime.cutover.ids_checks import ids_warnings
from shardwright.runtime.cutover.ways import Way
from shardwright.runtime.failures import Refused, RuntimeFailure
from shardwright.runtime.mysql.check import Check, Verdict
from shardwright.runtime.rehearsal.forecast.forecast import Order, forecast
from shardwright.runtime.run.preflight.cluster import cluster_checks
from shardwright.runtime.run.preflight.context import Shares, demands_of
from shardwright.runtime.run.preflight.forgotten_tables import check_forgotten_tables
from shardwright.runtime.run.preflight.ledgers import ledger_checks
from shardwright.runtime.run.preflight.log_positions import log_positions
from shardwright.runtime.run.preflight.plan_state import check_started_plan
from shardwright.runtime.run.preflight.preflight import checks
from shardwright.runtime.run.preflight.table import as_json, as_text, exit_code
from shardwright.runtime.run.preflight.tolerance import Tolerance, tolerance


def execute(arguments: argparse.Namespace) -> int:
    deployed = deployment(arguments).in_force()
    servers = deployed.servers.patient()
    try:
        tolerated = tolerance(deployed.plan, servers)
    except RuntimeFailure:
        tolerated = Tolerance.NONE  # the checks name the server that does not answer
    shares = forecast_shares(deployed, arguments.forecast) if arguments.forecast else None
    found = checks(deployed.plan, servers, tolerated, demands_of(deployed.environment, shares=shares))
    found = (*cluster_checks(deployed.environment.spark, os.environ), *found)
    if deployed.plan.direction.reads_source:
        found = (*found, *check_forgotten_tables(deployed.plan, servers))
    if exit_code(found) == Exit.DONE:
        found = (*found, *check_started_plan(deployed.plan, servers))
    if exit_code(found) == Exit.DONE:
        found = (*found, *log_positions(deployed.plan, deployed.servers, deployed.environment))
    if exit_code(found) == Exit.DONE:
        found = (*found, *ledger_checks(deployed.plan, servers, deployed.environment))
    if exit_code(found) == Exit.DONE:
        found = (*found, *ids_warnings(Way(deployed.plan, servers, deployed.environment)))
    facts = _facts(found)
    if arguments.format == "json":
        data = {**as_json(found), "next": next_commands.as_json(facts, arguments)}
        print(json.dumps(data, indent=2, ensure_ascii=False))
    else:
        print(f"{as_text(found)}\n{next_commands.as_lines(facts, arguments)}")
    return exit_code(found)


def _facts(found: Sequence[Check]) -> PreflightFacts:
    refused = tuple(check.code for check in found if check.verdict is Verdict.REFUSED)
    return PreflightFacts(refused, unknown=exit_code(found) == Exit.UNREACHABLE)


def forecast_shares(deployed: Deployment, sample: int) -> Shares:
    """Each table's part per database, by the spec that the plan was compiled from.

    Raises Refused when the specs have changed since then.
    """
    project, plan = deployed.project, deployed.plan
    compiled = [item.compiled for item in compile_specs(project, project.spec_files()) if item.compiled is not None]
    same = [item for item in compiled if item.plan.fingerprint == plan.fingerprint]
    if not same:
        raise Refused(
            "SW8203", f"the plan of {plan.migration} is not what the specs say now: run `shardwright compile`"
        )
    made = forecast(same[0], deployed.servers, Order(sample), unique=False)
    return {table.table: shares for table in made.tables if (shares := table.byte_shares(plan.databases))}
