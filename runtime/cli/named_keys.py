"""Which keys does a command name: on the command line, or in a file? And in which buckets are they?

Runs in the process of `route` and `cutover --keys`; compiles the specs, and reads files.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from shardwright.compiler.plan.plan import Plan, StepName
from shardwright.compiler.project.checking import compile_specs
from shardwright.compiler.project.project import Project
from shardwright.compiler.steps.writers import SOURCE_NEW
from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.rehearsal.route.subject import Key, Subject, bucket_of, read_keys, subject
from shardwright.specs.findings.diagnostics import SpecError


def find_subject(project: Project, table: str, migration: str | None) -> Subject:
    """The logical table, by the specs as they are now. Raises SpecError, and InputAtFault (SW5031)."""
    checked = compile_specs(project, project.spec_files())
    compiled = [item.compiled for item in checked if item.compiled is not None]
    if not compiled:
        raise SpecError([finding for item in checked for finding in item.findings])
    return subject(compiled, table, migration)


def keys_of_file(about: Subject, file: str) -> Iterator[Key]:
    """Raises InputAtFault (SW5031)."""
    try:
        text = Path(file).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputAtFault("SW5031", f"cannot read {file}: {error}") from None
    yield from read_keys(about, text, file)


def buckets_of_keys(project: Project, named: str, plan: Plan) -> frozenset[int]:
    """`named`: TABLE=FILE, a CSV file of the table's shard keys. `plan`: the one that runs; the specs have to be those
    that it was compiled from. Raises SpecError, and InputAtFault (SW5031, SW8007)."""
    table, sign, file = named.partition("=")
    if not (sign and table and file):
        raise InputAtFault("SW8007", f"--keys {named}: write TABLE=FILE, such as users=tenants.csv")
    about = find_subject(project, table, plan.migration)
    if _places_of_rows(about.plan, table) != _places_of_rows(plan, table):
        raise InputAtFault("SW8007", f"--keys {named}: the specs are not those of the plan: compile, and run, first")
    bucket = about.bucket
    if bucket is None:
        raise InputAtFault("SW8007", f"--keys {named}: {table} has no shard key of its own: name a table that has")
    found = frozenset(bucket_of(bucket, key) for key in keys_of_file(about, file))
    if not found:
        raise InputAtFault("SW8007", f"--keys {named}: the file has no key")
    return found


def _places_of_rows(plan: Plan, table: str) -> tuple[str, str]:
    """What decides in which bucket a row is."""
    known = plan.buckets and any(one.logical == table for one in plan.tables)
    return plan.fingerprint, plan.step(table, StepName.WRITERS).statement(SOURCE_NEW) if known else ""
