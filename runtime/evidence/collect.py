"""Which records does a report have, and in which order? Files first, then every ledger, then the comparison.

Runs in the process of the command; reads the project, and the ledgers of both directions.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from shardwright.compiler.project.compiled_files import files_compiled_from
from shardwright.compiler.project.project import Project
from shardwright.runtime.evidence.chain import Record
from shardwright.runtime.evidence.folder import ProjectFile
from shardwright.runtime.evidence.ledger_rows import read_rows
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.verify.compare import RangeResult
from shardwright.runtime.verify.result import VerifyResult
from shardwright.specs.files.project_files import SQL_BYTES, read_file

_LOCK = "shardwright.lock"


def read_project(project: Project, migration: str, environment: str) -> Iterator[ProjectFile]:
    """Spec, schema, DDL files, the lock, the plan, and the environment file, whose secrets are references. Each is read
    once: its copy and its digest are of the same bytes."""
    compiled = files_compiled_from(project, migration)
    plan = project.plan_folder(migration)
    below = sorted(path.relative_to(project.root).as_posix() for path in plan.rglob("*") if path.is_file())
    file = project.environment_file(environment)
    ours = (file.relative_to(project.root).as_posix(),) if project.root_of(file) else ()
    for path in (*compiled, *((_LOCK,) if project.own(_LOCK).exists() else ()), *ours, *below):
        yield ProjectFile(path, read_file(project.root / path, root=project.root, limit=SQL_BYTES))


def read_ledgers(servers: Servers, migration: str) -> Iterator[Record]:
    """The rows of all ledgers of one direction. Raises RuntimeFailure where a server does not answer: a report has no
    holes."""
    for shard, connection in servers.each_shard():
        yield from read_rows(connection, migration, ledger=servers.databases[shard])


def read_ledgers_if_there(servers: Servers, migration: str) -> Iterator[Record]:
    """The same for the direction that is not live: its servers may be gone. The report names those."""
    for shard, database in enumerate(servers.databases):
        try:
            connection = servers.connect_shard(shard)
        except RuntimeFailure as failure:
            yield Record("no ledger", {"ledger": database, "why": failure.code})
            continue
        with closing(connection):
            yield from read_rows(connection, migration, ledger=database)


def range_record(table: str, result: RangeResult) -> Record:
    """A key range of a comparison. The keys at its ends are of rows, and stay out."""
    return Record(
        "range",
        {
            "table": table,
            "source_rows": result.rows_source,
            "shards_rows": sum(result.rows_shards.values()),
            "source_hash": f"{result.hash_source % 2**64:016x}",
            "shards_hash": f"{result.hash_shards % 2**64:016x}",
            "differed": result.differed,
        },
    )


def verdict_record(result: VerifyResult) -> Record:
    """The comparison's end. Tables that are not equal have their count of mismatches, and no row."""
    tables = {
        table.table: {"verdict": table.verdict.value, "rows": table.rows_source, "mismatches": table.mismatch_count}
        for table in result.tables
    }
    return Record("verdict", {"verdict": result.verdict.value, "positions": dict(result.positions), "tables": tables})
