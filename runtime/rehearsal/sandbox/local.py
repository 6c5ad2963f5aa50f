"""How is a local server program started and stopped on a private data folder?

Runs in the process of the command; fills the server's folder and starts its process.
"""

from __future__ import annotations

import contextlib
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pymysql

from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.rehearsal.sandbox.binary import ServerBinary
from shardwright.runtime.rehearsal.sandbox.options import ERROR_LOG, FILES, local_arguments, user_argument
from shardwright.runtime.rehearsal.sandbox.own_folder import password_in
from shardwright.runtime.rehearsal.sandbox.process import is_ours, stop_process
from shardwright.runtime.rehearsal.sandbox.server import ADMIN, ADMIN_PASSWORD_FILE, SandboxServer
from shardwright.runtime.rehearsal.sandbox.server_account import ServerAccount, choose_account, identity
from shardwright.runtime.rehearsal.sandbox.server_files import make_server_folder, server_file

START_DEADLINE = 60.0
_INSTALL_DEADLINE = 120.0
_ACCOUNT_HOST = "127.0.0.1"


def start_local(
    binary: ServerBinary,
    folder: Path,
    *,
    port: int | None,
    server_id: int,
    extra: Mapping[str, str],
    report: Callable[[str], None],
) -> SandboxServer:
    """Starts the server in `folder`, on the data it already holds or on new data. Returns when it answers."""
    account, why_root = choose_account(binary, folder)
    if why_root:
        report(why_root)
    for name in ("data", "tmp", FILES):
        make_server_folder(folder / name, account)
    server_file(folder / ERROR_LOG, account)
    password = password_in(folder / ADMIN_PASSWORD_FILE)
    first_start = not (folder / "data" / "mysql").is_dir()
    if first_start:
        _fill_data_folder(binary, folder, account)
    chosen = port or free_port()
    arguments = local_arguments(binary.kind, folder, port=chosen, server_id=server_id, account=account, extra=extra)
    with _account_script(binary, folder, password, account) if first_start else contextlib.nullcontext() as script:
        process = _launch(binary, folder, account, (*arguments, f"--init-file={script}") if script else arguments)
        server = SandboxServer(
            folder, "127.0.0.1", chosen, server_id, binary.kind, binary.version, _ACCOUNT_HOST, pid=process.pid
        )
        _wait_until_ready(server, process)
    return server


def stop_local(server: SandboxServer, *, deadline: float) -> None:
    if server.pid is not None:
        stop_process(server.pid, _mark(server.folder), deadline=deadline)


def local_is_running(server: SandboxServer) -> bool:
    return server.pid is not None and is_ours(server.pid, _mark(server.folder))


def free_port() -> int:
    """A port that no program listens on at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _mark(folder: Path) -> str:
    return f"--datadir={folder / 'data'} "


def _fill_data_folder(binary: ServerBinary, folder: Path, account: ServerAccount | None) -> None:
    data = folder / "data"
    program, fill = (binary.installer, "--skip-test-db") if binary.installer else (binary.path, "--initialize-insecure")
    command = [str(program), "--no-defaults", *user_argument(account), f"--datadir={data}", fill]
    # A starting server deletes the temporary tables that it finds in its temporary folder, also those of another
    # server that is just filling its data folder. So every server needs a temporary folder of its own.
    somebody = identity(account)
    somebody["env"]["TMPDIR"] = str(folder / "tmp")
    log = folder / "install.log"
    with log.open("wb") as output:
        try:
            status = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                timeout=_INSTALL_DEADLINE,
                check=False,
                **somebody,
            ).returncode
        except subprocess.TimeoutExpired:
            status = -1
    if status != 0:
        shutil.rmtree(data, ignore_errors=True)  # the next start would take a half-filled folder for a complete one
        raise RuntimeFailure("SW8601", f"{command[0]} could not fill the data folder {data}{_tail(log, 40)}")


@contextlib.contextmanager
def _account_script(binary: ServerBinary, folder: Path, password: str, account: ServerAccount | None) -> Iterator[Path]:
    """A script for the server's first start that sets the administrator's password. It is deleted afterwards."""
    administrator = f"'{ADMIN}'@'{_ACCOUNT_HOST}'"
    lines = [
        f"DROP USER IF EXISTS {administrator};",
        f"CREATE USER {administrator} IDENTIFIED BY '{password}';",
        f"GRANT ALL PRIVILEGES ON *.* TO {administrator} WITH GRANT OPTION;",
    ]
    if binary.kind == "mysql":
        lines.append(f"ALTER USER 'root'@'localhost' IDENTIFIED BY '{password}';")
    script = folder / "first_start.sql"
    script.unlink(missing_ok=True)  # left by a start that was killed
    try:
        server_file(script, account, "\n".join(lines) + "\n")
        yield script
    finally:
        script.unlink(missing_ok=True)


def _launch(
    binary: ServerBinary, folder: Path, account: ServerAccount | None, arguments: tuple[str, ...]
) -> subprocess.Popen[bytes]:
    with (folder / "output.log").open("ab") as output:
        # A session of its own, so that an interrupt of the program that starts the server does not reach it.
        return subprocess.Popen(
            [str(binary.path), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            **identity(account),
        )


def _wait_until_ready(server: SandboxServer, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + START_DEADLINE
    # The process object is asked, because for a moment after its start a program's command line reads empty.
    while process.poll() is None and time.monotonic() < end:
        try:
            server.connect(timeout=5).close()
        except (pymysql.err.OperationalError, OSError):
            time.sleep(0.1)
        else:
            process.returncode = 0  # the server outlives this object: the process that stops it will reap it
            return
    state = "ended while starting" if process.poll() is not None else f"did not answer within {START_DEADLINE:.0f} s"
    if process.poll() is None:
        process.kill()
        process.wait()
    raise RuntimeFailure(
        "SW8602", f"the {server.kind} server on port {server.port} {state}{_tail(server.folder / ERROR_LOG)}"
    )


def _tail(log: Path, lines: int = 15) -> str:
    """The end of a log, as text to append to a message."""
    try:
        text = log.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return f"; the end of {log}:\n" + "\n".join(f"  {line}" for line in text.splitlines()[-lines:])
