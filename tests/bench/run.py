"""`make bench`: starts a sandbox server and runs every benchmark against it. Figures go to docs/performance.md by hand,
with the machine they were taken on."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from shardwright.runtime.rehearsal.sandbox.lifecycle import remove_server, start_server

HERE = Path(__file__).parent


def main() -> None:
    root = HERE.parents[1]
    for name in ("compile", "expand_ddl"):
        subprocess.run([sys.executable, "-m", f"tests.bench.compile.{name}"], check=True, cwd=root)
    several = (
        ("snapshot.reading",), *(("snapshot.load", "--rounds", "1", "--kind", kind) for kind in ("facts", "narrow", "wide")),
        ("stream.drain", "--rounds", "1"), ("stream.steady",), ("verify.checksum", "--rounds", "1"),
        ("cutover", "--times", "4"),
    )  # fmt: skip
    for module, *options in several:
        subprocess.run([sys.executable, "-m", f"tests.bench.{module}", *options], check=True, cwd=root)
    with tempfile.TemporaryDirectory(prefix="shardwright-bench-") as folder:
        server = start_server(Path(folder) / "server", server_id=1)
        try:
            with server.connect() as connection, connection.cursor() as cursor:
                cursor.execute("CREATE USER bench@'127.0.0.1' IDENTIFIED BY ''")
                cursor.execute("GRANT ALL PRIVILEGES ON *.* TO bench@'127.0.0.1'")
            subprocess.run(
                [sys.executable, str(HERE / "stream" / "decode.py"), "127.0.0.1", str(server.port), "bench"], check=True
            )
            subprocess.run(
                [sys.executable, str(HERE / "verify" / "row_hash.py"), "127.0.0.1", str(server.port), "bench", ""],
                check=True,
            )
        finally:
            remove_server(server)


if __name__ == "__main__":
    main()
