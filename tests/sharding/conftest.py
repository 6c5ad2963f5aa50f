"""A real MariaDB server and a real Spark session for the tests of sharding functions."""

from __future__ import annotations

import getpass
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pymysql
import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="package")
def mariadb_socket() -> Iterator[Path]:
    """The socket of an empty server in a temporary folder; no network, gone afterwards."""
    missing = [name for name in ("mariadb-install-db", "mariadbd") if shutil.which(name) is None]
    if missing:
        pytest.fail(f"install {', '.join(missing)} (Debian and Ubuntu: apt-get install mariadb-server)")
    folder = Path(tempfile.mkdtemp(prefix="shardwright-sharding-"))
    options = ["--no-defaults", f"--datadir={folder / 'data'}", f"--user={getpass.getuser()}"]
    install = ["mariadb-install-db", *options, "--auth-root-authentication-method=normal", "--skip-test-db"]
    subprocess.run(install, check=True, capture_output=True, timeout=60)
    socket = folder / "s.sock"
    server = subprocess.Popen(
        ["mariadbd", *options, f"--socket={socket}", "--skip-networking", "--character-set-server=utf8mb4"],
        stdout=subprocess.DEVNULL,
        stderr=(folder / "error.log").open("wb"),
    )
    try:
        _wait_until_up(server, socket, folder / "error.log")
        yield socket
    finally:
        server.terminate()
        server.wait(timeout=30)
        shutil.rmtree(folder)


def _wait_until_up(server: subprocess.Popen[bytes], socket: Path, log: Path) -> None:
    deadline = time.monotonic() + 30
    while server.poll() is None and time.monotonic() < deadline:
        try:
            pymysql.connect(unix_socket=str(socket), user="root").close()
            return
        except pymysql.OperationalError:
            time.sleep(0.1)
    pytest.fail(f"the server did not start: {log.read_text(errors='replace')[-2000:]}")


@pytest.fixture(scope="package")
def spark() -> Iterator[SparkSession]:
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2]")
        .appName("sharding tests")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.ansi.enabled", "true")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()
