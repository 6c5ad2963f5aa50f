"""How fast is a migration whose tool is far from the shards, or from the source? Proxies delay what is sent, and count
round trips.

    python -m tests.bench.distance [--delays 0,10,40] [--places shards,source] [--parts stream,cutover] [--seconds 20]
    [--rate 200] [--statements FILE] [--json FILE]

`--statements` lists every statement by time and phase: what may be joined is read there. 100,000 rows are copied, then
a writer makes `--rate` transactions a second, then 20,000 hot updates are drained. Figures by delay each way.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from shardwright.runtime.rehearsal.sandbox.lifecycle import remove_server
from tests.bench.over_distance.cutover import measure_cutovers
from tests.bench.over_distance.far import Far
from tests.bench.over_distance.stream import Measured
from tests.bench.stream.drain import start_servers
from tests.servers.testbed import Arena


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--delays", default="0,10,40", help="milliseconds each way")
    parser.add_argument("--places", default="shards,source", help="the side that is far")
    parser.add_argument("--parts", default="stream,cutover")
    parser.add_argument("--seconds", type=float, default=20, help="how long the stream is measured")
    parser.add_argument("--rate", type=int, default=200, help="transactions a second")
    parser.add_argument("--changes", type=int, default=20_000, help="of the backlog")
    parser.add_argument("--mbytes", type=float, help="the most megabytes a second of a connection")
    parser.add_argument("--statements", type=Path, help="where to list statements")
    parser.add_argument("--json", type=Path, help="where to write the results")
    options = parser.parse_args()
    results = []
    for far in _settings(options):
        found: dict[str, Any] = {"far": far.place, "milliseconds": far.milliseconds}
        for part in options.parts.split(","):
            found |= _measure(part, far, options)
        results.append(found)
        print(json.dumps(found, indent=1), flush=True)
        if options.json:
            made = {"processors": os.cpu_count(), "rate": options.rate, "settings": results}
            options.json.write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")


def _settings(options: argparse.Namespace) -> Iterator[Far]:
    """Nothing is far only once."""
    capped = options.mbytes and options.mbytes * 1e6
    places = options.places.split(",")
    for delay in map(float, options.delays.split(",")):
        for place in places if delay else places[:1]:
            yield Far(place, delay, capped)


def _measure(part: str, far: Far, options: argparse.Namespace) -> dict[str, Any]:
    with _arena() as arena:
        if part == "cutover":
            return measure_cutovers(arena, arena.folder, far, listing=options.statements)
        measured = Measured(arena, arena.folder, far, listing=options.statements)
        return measured.measure(seconds=options.seconds, rate=options.rate, changes=options.changes)


@contextmanager
def _arena() -> Iterator[Arena]:
    with tempfile.TemporaryDirectory(prefix="shardwright-bench-") as folder:
        servers = start_servers(Path(folder), ("source", "target_0", "target_1"))
        try:
            yield Arena(servers[0], (servers[1], servers[2]), Path(folder))
        finally:
            for server in servers:
                remove_server(server.sandbox)


if __name__ == "__main__":
    main()
