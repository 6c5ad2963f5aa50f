"""A real Maxwell beside a source: its own process reads the log, its lines go on to whoever wants them."""

from __future__ import annotations

import os
import re
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.servers.jars import MAXWELL, class_path
from tests.servers.testbed import Server

_CLASSES = Path(__file__).parents[1] / "messages" / "recorder" / "maxwell" / "ScriptObjectMirror.java"
_SECONDS = 300
_LAST = "maxwell_ends_here"


@contextmanager
def running_maxwell(server: Server, database: str, folder: Path, send: Callable[[str], None]) -> Iterator[None]:
    """Within, Maxwell sends every change of `database` as a line; on leaving all of them are sent."""
    folder.mkdir()
    subprocess.run(["javac", "-d", str(folder), str(_CLASSES)], check=True)
    server.query("CREATE USER maxwell@'%' IDENTIFIED BY 'maxwell'")
    server.query("GRANT ALL ON *.* TO maxwell@'%'")
    options = {
        "host": server.host, "port": server.port, "user": "maxwell", "password": "maxwell", "producer": "stdout",
        "output_binlog_position": "true", "output_xoffset": "true", "output_ddl": "true",
        "filter": f"exclude: *.*, include: {database}.*, include: {_LAST}.*",
    }  # fmt: skip
    command = ["java", "-Xmx256m", "-cp", f"{class_path(MAXWELL)}{os.pathsep}{folder}", "com.zendesk.maxwell.Maxwell"]
    command += [f"--{name}={value}" for name, value in options.items()]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    begun, ended, log = threading.Event(), threading.Event(), []

    def read() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            message = line.rstrip("\n")
            if _LAST in message and message.startswith("{"):
                ended.set()
            elif message.startswith("{"):
                send(message)
            else:
                log.append(message)
                if re.search("Binlog connected", message):
                    begun.set()

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    try:
        _wait(begun, process, log)
        yield
        server.query(f"CREATE DATABASE {_LAST}")
        _wait(ended, process, log)
    finally:
        process.kill()
        process.wait(timeout=_SECONDS)
        thread.join(timeout=_SECONDS)
        for statement in (
            f"DROP DATABASE IF EXISTS {_LAST}",
            "DROP DATABASE IF EXISTS maxwell",
            "DROP USER maxwell@'%'",
        ):
            server.query(statement)


def _wait(event: threading.Event, process: subprocess.Popen[str], log: list[str]) -> None:
    end = time.monotonic() + _SECONDS
    while not event.wait(0.2):
        assert process.poll() is None and time.monotonic() < end, "\n".join(log[-30:])
