"""`make bench`: runs every benchmark on servers of its own.

    python tests/bench/run.py [--rounds 5] [--results .build/bench]

Each prints a table. Those that compare run in alternating rounds, and leave their numbers as JSON in the folder of
results. The results that docs/performance.md
reports go to tests/bench/results, with the command and the machine they were taken on.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from shardwright.runtime.rehearsal.sandbox.lifecycle import remove_server, start_server

HERE = Path(__file__).parent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", default="5", help="of every benchmark that compares")
    parser.add_argument("--results", type=Path, default=Path(".build/bench"), help="folder for the JSON files")
    options = parser.parse_args()
    root, results = HERE.parents[1], options.results.absolute()
    results.mkdir(parents=True, exist_ok=True)
    for name in ("compile", "expand_ddl"):
        subprocess.run([sys.executable, "-m", f"tests.bench.compile.{name}"], check=True, cwd=root)

    def comparison(module: str, *more: str, name: str) -> tuple[str, ...]:
        return (module, "--rounds", options.rounds, "--json", str(results / f"{name}.json"), *more)

    several = (
        ("snapshot.reading", "--rounds", options.rounds),
        *(comparison("snapshot.load", "--kind", kind, name=f"load-{kind}") for kind in ("facts", "narrow", "wide")),
        ("snapshot.tables",),
        comparison("snapshot.workers", name="workers"),
        ("snapshot.indexes", "--rounds", options.rounds),
        comparison("stream.drain", name="drain"),
        comparison("stream.drain", "--guarded", "--kinds", "insert-only", name="drain-guarded"),
        comparison("stream.resumed", name="resumed"),
        ("stream.steady",),
        ("stream.tables",),
        comparison("verify.checksum", name="checksum"),
        ("cutover", "--times", "4"),
        ("distance", "--json", str(results / "distance.json")),
    )
    for module, *arguments in several:
        print(f"== {module} {' '.join(arguments)}", flush=True)
        subprocess.run([sys.executable, "-m", f"tests.bench.{module}", *arguments], check=True, cwd=root)
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
