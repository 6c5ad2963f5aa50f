"""Which servers, databases, accounts and files make a whole sandbox for a spec? One source and some target servers.

Runs in the process of the command; starts servers, writes them and the environment file.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pymysql

from shardwright.compiler.schema.file import read_schema
from shardwright.runtime.failures import InputAtFault, Refused
from shardwright.runtime.rehearsal.sandbox.accounts import (
    APPLICATION_USER,
    allow_counters,
    allow_cutover,
    allow_way_back,
    create_databases,
    create_source_accounts,
    create_target_accounts,
    let_application_in,
    password_file,
)
from shardwright.runtime.rehearsal.sandbox.binary import ServerKind
from shardwright.runtime.rehearsal.sandbox.environment_file import (
    RECORD,
    ServerLayout,
    record_environment,
    remove_environment,
    write_environment,
)
from shardwright.runtime.rehearsal.sandbox.lifecycle import is_running, remove_server, start_server, stop_server
from shardwright.runtime.rehearsal.sandbox.own_folder import own_folder
from shardwright.runtime.rehearsal.sandbox.script import statements
from shardwright.runtime.rehearsal.sandbox.server import SandboxServer, load_state
from shardwright.runtime.rehearsal.sandbox.server_files import passable_folder
from shardwright.specs.environment.cutover import FenceKind
from shardwright.specs.findings.diagnostics import Findings, SpecError
from shardwright.specs.spec.model import Spec

ENVIRONMENT = "sandbox"
SOURCE = "source"
FENCE: Final[FenceKind] = "triggers"
"""What stops users' writes on either side when a cutover is rehearsed. Of the application it asks only to try again."""
CUTOVER: Final = {"fence": {"source": FENCE, "shards": FENCE}, "max_lag": "60s", "max_pause": "60s"}
"""The limits are wide: all servers, Spark and the application share one machine."""
SPARK: Final = {"conf": {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}}
"""A sandbox has few rows and new queries: to generate code for them takes longer than to interpret them."""
_SECRETS, _WORK, _FILLED = "secrets", "work", "filled"


@dataclass(frozen=True, slots=True)
class SandboxRequest:
    """Which sandbox is wanted."""

    spec: Spec
    """The spec that it is for."""
    folder: Path
    """Where its servers are, or are made."""
    project: Path
    """The project's folder, which gets `environments/sandbox.yaml`."""
    targets: int = 2
    """How many target servers there are."""
    seed_sql: Sequence[Path] | None = None
    """The scripts that fill a new source; None: the schema file that the spec names."""


@dataclass(frozen=True, slots=True)
class SandboxInfo:
    """A sandbox that runs."""

    folder: Path
    """The folder of the sandbox."""
    environment_file: Path
    """The file that `--env sandbox` reads."""
    source: SandboxServer
    """The source server."""
    targets: Mapping[str, SandboxServer]
    """The target servers by name."""
    databases: Mapping[str, tuple[str, ...]]
    """The target databases by server name."""
    application_user: str
    """The account of the application that writes to the source, and after a cutover to the targets."""
    application_password_file: Path
    """The file with that account's password."""


def sandbox_up(request: SandboxRequest, *, report: Callable[[str], None] = lambda line: None) -> SandboxInfo:
    """Starts the servers of a sandbox, or starts them again, and writes `environments/sandbox.yaml`.

    Servers that run already are left as they are. A folder that was made for another number of targets is refused.
    """
    spec, folder, project, seed_sql = request.spec, request.folder, request.project, request.seed_sql
    layout = spread(spec.target.databases, request.targets)
    if seed_sql is None:
        seed_sql = (project / spec.source.schema,)
        _refuse_more_than_tables(seed_sql[0])
    for script in seed_sql:
        _refuse_unreadable(script)
    passable_folder(folder)
    _refuse_other_layout(folder, layout)
    secrets = own_folder(folder.resolve() / _SECRETS)
    (folder / _WORK).mkdir(mode=0o700, exist_ok=True)  # before a run makes it with a mode that lets others in
    servers = _start_all(folder, (SOURCE, *layout), kind=spec.source.dialect, report=report)
    source = servers.pop(SOURCE)
    create_databases(source, spec.source.databases)
    create_source_accounts(source, spec.source.databases, secrets=secrets)
    for name, databases in layout.items():
        ledgers = [spec.ledger_of(database) for database in databases] if spec.ledger is not None else []
        create_databases(servers[name], databases)
        create_target_accounts(servers[name], [*databases, *ledgers], secrets=secrets)
        let_application_in(servers[name], databases, ledgers, secrets=secrets)
        allow_cutover(servers[name], databases, FENCE)
    allow_way_back(source, spec.source.databases, list(servers.values()))
    if any(entry.source == "auto_increment" for entry in spec.ids):
        allow_counters(source, spec.source.databases)
    allow_cutover(source, spec.source.databases, FENCE)
    if not (folder / _FILLED).exists():
        password = password_file(APPLICATION_USER, secrets=secrets).read_text(encoding="utf-8")
        for script in seed_sql:
            try:
                _run_script(source, spec.source.databases, script, password)
            except InputAtFault:
                sandbox_down(folder)
                raise
            report(f"source: ran {script}")
        (folder / _FILLED).touch()
    environment_file = project / "environments" / f"{ENVIRONMENT}.yaml"
    where = ServerLayout(source, servers, layout, secrets)
    settings = {"cutover": CUTOVER, "spark": SPARK}
    write_environment(environment_file, where, work_dir=folder.resolve() / _WORK, settings=settings)
    record_environment(environment_file, folder)
    return SandboxInfo(
        folder=folder.resolve(),
        environment_file=environment_file,
        source=source,
        targets=servers,
        databases=layout,
        application_user=APPLICATION_USER,
        application_password_file=password_file(APPLICATION_USER, secrets=secrets),
    )


def sandbox_down(
    folder: Path, *, keep_data: bool = False, report: Callable[[str], None] = lambda line: None
) -> tuple[str, ...]:
    """Stops the servers of the sandbox in `folder`, also those of another process. Unless `keep_data`, deletes their
    data, and the environment file that it has written as long as nobody has changed it. Returns the names of the
    servers that were running."""
    found = sandbox_status(folder)
    if not found:
        raise Refused("SW8606", f"no sandbox in {folder}: `shardwright sandbox up` keeps its state there")
    finish = stop_server if keep_data else remove_server
    with ThreadPoolExecutor() as pool:
        list(pool.map(finish, (server for server, _ in found.values())))
    if not keep_data:
        if (environment := remove_environment(folder)) is not None:
            file, is_gone = environment
            report(f"removed {file}" if is_gone else f"kept {file}: it was changed since `shardwright sandbox up`")
        _clear(folder)
    return tuple(name for name, (_, running) in found.items() if running)


def sandbox_status(folder: Path) -> dict[str, tuple[SandboxServer, bool]]:
    """Every server of the sandbox by name, and whether it runs. Empty when there is no sandbox."""
    found = {}
    for place in sorted(folder.iterdir()) if folder.is_dir() else ():
        server = load_state(place)
        if server is not None:
            found[place.name] = (server, is_running(server))
    return found


def spread(databases: Sequence[str], servers: int) -> dict[str, tuple[str, ...]]:
    """The databases in even runs over `servers` servers with the names target_0, target_1, ..."""
    if not 1 <= servers <= len(databases):
        raise Refused(
            "SW8605", f"{servers} target servers for {len(databases)} target databases: ask for 1 to {len(databases)}"
        )
    cuts = [index * len(databases) // servers for index in range(servers + 1)]
    return {f"target_{index}": tuple(databases[cuts[index] : cuts[index + 1]]) for index in range(servers)}


def _clear(folder: Path) -> None:
    """Deletes what `sandbox_up` made there beside the servers, and the folder itself when nothing else is in it."""
    for name in (_SECRETS, _WORK):
        shutil.rmtree(folder / name, ignore_errors=True)
    for name in (_FILLED, RECORD):
        (folder / name).unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        folder.rmdir()


def _refuse_other_layout(folder: Path, layout: Mapping[str, Sequence[str]]) -> None:
    present = set(sandbox_status(folder))
    if present and present != {SOURCE, *layout}:
        raise Refused(
            "SW8607",
            f"{folder} holds a sandbox of {', '.join(sorted(present))}, not of one source and {len(layout)} targets: "
            f"end it first with `shardwright sandbox down --folder {folder}`",
        )


def _start_all(
    folder: Path, names: Sequence[str], *, kind: ServerKind, report: Callable[[str], None]
) -> dict[str, SandboxServer]:
    first_from: dict[str, str] = {}

    def start(numbered: tuple[int, str]) -> SandboxServer:
        number, name = numbered
        server = start_server(
            folder / name,
            server_id=number,
            kind=kind,
            # A line that holds for every server is reported once.
            report=lambda line: report(line) if first_from.setdefault(line, name) == name else None,
        )
        report(f"{name}: {server.kind} {server.version} on {server.host}:{server.port}")
        return server

    with ThreadPoolExecutor() as pool:
        return dict(zip(names, pool.map(start, enumerate(names, start=1)), strict=True))


def _refuse_unreadable(script: Path) -> None:
    """Before a server is started. Raises InputAtFault (SW8012)."""
    try:
        script.read_bytes()
    except OSError as error:
        raise InputAtFault("SW8012", f"{script}: {error.strerror}; no server was started") from error


def _refuse_more_than_tables(schema: Path) -> None:
    """Refuses for a server what `compile` refuses, because a schema file comes with a pull request. Raises
    SpecError."""
    findings = Findings()
    try:
        read_schema(schema.read_text(encoding="utf-8"), file=str(schema), findings=findings)
    except OSError as error:
        raise InputAtFault("SW8012", f"{schema}: {error.strerror}") from error
    if findings.has_errors:
        raise SpecError(findings.items)


def _run_script(server: SandboxServer, databases: Sequence[str], script: Path, password: str) -> None:
    """Runs a script as the application, which may do anything in the source databases and nothing elsewhere (no FILE,
    no accounts)."""
    text = script.read_text(encoding="utf-8")
    for database in databases:
        with (
            server.connect(database, user=APPLICATION_USER, password=password) as connection,
            connection.cursor() as cursor,
        ):
            cursor.execute("SET SESSION foreign_key_checks = 0")  # tables may come before those that they refer to
            for number, statement in enumerate(statements(text), 1):
                try:
                    cursor.execute(statement)
                except pymysql.err.MySQLError as error:
                    code, said = (*error.args, "")[:2]
                    words = " ".join(statement.split())[:80]
                    raise InputAtFault(
                        "SW8012", f"{script}: statement {number} ({words}) in database {database}: error {code}: {said}"
                    ) from error
