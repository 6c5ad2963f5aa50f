"""How long from the command to the first batch of a run that was killed: the batch that was staged is finished, the
next one is read from the log.

    python -m tests.bench.stream.resumed [--rounds 5] [--changes 1000] [--json FILE]

Each round kills a run with SIGKILL when its batch is staged, writes as many changes again, starts a run, and waits
until the shards have them. The goal is 10 s on an idle machine.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from pathlib import Path

from shardwright.runtime.failpoints import VARIABLE
from shardwright.runtime.rehearsal.sandbox.lifecycle import remove_server
from tests.bench.stream import backlog
from tests.bench.stream.drain import make_job, start_servers
from tests.bench.stream.drains import Stream, source_head
from tests.servers.testbed import Arena, Server
from tests.support.job import Job, kill_tree

PATIENCE = 300


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--changes", type=int, default=1000, help="row changes of each kind in a batch")
    parser.add_argument("--json", type=Path, help="where to write the results")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="shardwright-bench-") as folder:
        servers = start_servers(Path(folder), ("source", "target"))
        try:
            arena, job = make_job(Path(folder), *servers)
            job.call("compile")
            job.run_until_caught_up()
            seconds = [_round(arena, job, servers[0], changes=options.changes) for _ in range(options.rounds)]
        finally:
            for server in servers:
                remove_server(server.sandbox)
    median = statistics.median(seconds)
    print(f"first batch of a resumed run: {median:.1f} s (goal 10), {min(seconds):.1f} s to {max(seconds):.1f} s")
    if options.json:
        options.json.write_text(json.dumps({"seconds": seconds}) + "\n", encoding="utf-8")


def _round(arena: Arena, job: Job, source: Server, *, changes: int) -> float:
    _write(source, changes)
    os.environ[VARIABLE] = "after-mark-staged=kill"
    dying = job.start_run()
    del os.environ[VARIABLE]
    try:
        assert dying.wait(timeout=PATIENCE) < 0, job.end_of_log()
    finally:
        kill_tree(dying)
    _write(source, changes)
    began = time.monotonic()
    process = job.start_run()
    try:
        Stream(arena, job, process).wait(source_head(source))
        return time.monotonic() - began
    finally:
        kill_tree(process)


def _write(source: Server, changes: int) -> None:
    for kind in backlog.KINDS:
        kind.write(source, changes)


if __name__ == "__main__":
    main()
