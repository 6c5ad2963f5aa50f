"""A private MariaDB with a row log for the tests of the log reader."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pymysql
import pytest

from shardwright.runtime.binlog.connection import LogConnection
from tests.binlog.log_source import Source


@pytest.fixture(scope="session")
def source(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Source]:
    """The server of this test session; tables are made by the tests, each with its own name.

    SHARDWRIGHT_LOG_SERVER=HOST:PORT takes a running MySQL instead (user root, no password, an empty database `shop`)."""
    if given := os.environ.get("SHARDWRIGHT_LOG_SERVER"):
        host, _, port = given.partition(":")
        yield Source(LogConnection(host, int(port), "root", ""), is_mysql=True)
        return
    folder = tmp_path_factory.mktemp("log-server")
    process, number = _start(folder)
    try:
        settings = LogConnection("127.0.0.1", number, "root", "")
        _wait(settings, process, folder)
        yield Source(settings)
    finally:
        process.terminate()
        process.wait(timeout=120)


def _start(folder: Path) -> tuple[subprocess.Popen[bytes], int]:
    for program in ("mariadbd", "mariadb-install-db"):
        if shutil.which(program) is None:
            pytest.fail(f"{program} is not installed: install MariaDB's server package")
    install = ["mariadb-install-db", "--no-defaults", f"--datadir={folder}/data", "--skip-test-db"]
    subprocess.run([*install, "--auth-root-authentication-method=normal"], check=True, capture_output=True, timeout=60)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = [f"--datadir={folder}/data", f"--socket={folder}/s", f"--port={port}", "--bind-address=127.0.0.1",
               "--user=root", "--log-bin=binlog", "--binlog-format=ROW", "--server-id=71", "--skip-name-resolve",
               "--max-allowed-packet=64M", "--innodb-buffer-pool-size=64M", "--innodb-flush-log-at-trx-commit=0",
               "--innodb-log-file-size=160M", "--character-set-server=utf8mb4"]  # fmt: skip
    with open(folder / "error.log", "wb") as log:
        return subprocess.Popen(["mariadbd", "--no-defaults", *options], stdout=log, stderr=log), port


def _wait(settings: LogConnection, process: subprocess.Popen[bytes], folder: Path) -> None:
    deadline = time.monotonic() + 120
    while True:
        try:
            pymysql.connect(host=settings.host, port=settings.port, user="root", password="").close()
            break
        except pymysql.err.OperationalError:
            if process.poll() is not None or time.monotonic() > deadline:
                pytest.fail((folder / "error.log").read_text())
            time.sleep(0.1)
    connection = pymysql.connect(host=settings.host, port=settings.port, user="root", password="", autocommit=True)
    with connection, connection.cursor() as cursor:
        cursor.execute("CREATE DATABASE shop")
