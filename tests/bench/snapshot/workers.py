"""The full load by one Spark worker and by two, in turn, in one run: standalone workers of one core each.

    python -m tests.bench.snapshot.workers [--rounds 3] [--kind facts] [--rows 1000000] [--json FILE]

On a machine with two cores the servers and the workers take them from each other. So the clock says less than the
processor time: what a worker and the servers spend on a million rows says how many workers one server can use.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import yaml

from shardwright.runtime.rehearsal.sandbox.lifecycle import remove_server
from tests.bench.snapshot.contenders import Ours
from tests.bench.snapshot.measured import Used
from tests.bench.snapshot.rows import KINDS, fill
from tests.bench.stream.drain import start_servers
from tests.cluster.standalone import Cluster, standalone_cluster
from tests.servers.testbed import Arena
from tests.support.job import ENVIRONMENT, session_members

COUNTS = (1, 2)
_ON_PAPER = (1, 2, 4, 10)
_REST = 5.0


class OnWorkers(Ours):
    """A run whose tasks are on the workers of a cluster; the driver is a process of its own."""

    cluster: Cluster

    def go_to(self, cluster: Cluster) -> None:
        self.cluster = cluster
        conf = {
            "spark.ui.enabled": "false",
            "spark.pyspark.python": str(cluster.interpreter),
            "spark.executor.memory": "768m",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
        }
        file = self.job.project / "environments" / f"{ENVIRONMENT}.yaml"
        environment = yaml.safe_load(file.read_text(encoding="utf-8"))
        environment["spark"] = {"master": cluster.master, "conf": conf}
        file.write_text(yaml.safe_dump(environment, sort_keys=False), encoding="utf-8")

    def parties(self, driver: int) -> dict[str, Callable[[], Sequence[int]]]:
        workers = self.cluster.workers
        return super().parties(driver) | {"workers": lambda: [p for w in workers for p in session_members(w.pid)]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--kind", choices=KINDS, default="facts")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--json", type=Path, help="where to write the results")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="shardwright-bench-") as name:
        folder = Path(name)
        servers = start_servers(folder, ("source", "target"))
        try:
            ours = OnWorkers(Arena(servers[0], (servers[1],), folder), options.kind, folder, {})
            fill(servers[0], options.kind, options.rows)
            results = _bench(ours, rounds=options.rounds)
        finally:
            for server in servers:
                remove_server(server.sandbox)
    _report(results, rows=options.rows)
    if options.json:
        made = {
            "kind": options.kind,
            "rows": options.rows,
            "processors": os.cpu_count(),
            "rounds": {str(count): [vars(used) for used in all_used] for count, all_used in results.items()},
        }
        options.json.write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")


def _bench(ours: OnWorkers, *, rounds: int) -> dict[int, list[Used]]:
    results: dict[int, list[Used]] = {count: [] for count in COUNTS}
    for number in range(rounds):
        for count in COUNTS if number % 2 == 0 else COUNTS[::-1]:
            with standalone_cluster(ours.folder / f"cluster-{number}-{count}", workers=count) as cluster:
                ours.go_to(cluster)
                ours.forget()
                time.sleep(_REST)
                used = ours.load()
            results[count].append(used)
            print(f"  round {number + 1}: {count} workers {used.clock:.1f} s ({used.whole:.1f} s in all)", flush=True)
    return results


def _report(results: dict[int, list[Used]], *, rows: int) -> None:
    millions = rows / 1e6
    for count, all_used in results.items():
        clock = statistics.median(used.clock for used in all_used)
        cost = {party: _cost(all_used, party) / millions for party in all_used[0].processor}
        parties = ", ".join(f"{party} {seconds:.1f} processor seconds" for party, seconds in cost.items())
        print(f"{count} workers: {rows / clock:,.0f} rows/s; without the start, per million rows: {parties}")
    both = [used for all_used in results.values() for used in all_used]
    worker, target = _cost(both, "workers") / rows, _cost(both, "target") / rows
    for count in _ON_PAPER:
        limit = count / worker
        print(f"on paper, {count} workers of one core: {limit:,.0f} rows/s, {limit * target:.1f} cores of the target")


def _cost(all_used: list[Used], party: str) -> float:
    return statistics.median(used.seconds_of_move(party) for used in all_used)


if __name__ == "__main__":
    main()
