"""How long do writers wait when they are cut over? An application with two data access layers writes at an even rate,
and is cut over and rolled back in turn, each time with a stream that has caught up.

    python -m tests.bench.cutover [--times 20] [--rate 200] [--writers 8] [--fence triggers] [--by-bucket]

With `--by-bucket` one of four buckets is moved there and back. Printed for each: the pause as the longest time in which no writer could write, and what the command says of itself.
"""

from __future__ import annotations

import argparse
import re
import statistics
import tempfile
import time
from pathlib import Path

from shardwright.runtime.rehearsal.sandbox.lifecycle import remove_server
from tests.bench.stream.drain import start_servers
from tests.cutover.lab import CutoverLab
from tests.cutover.test_by_bucket import make_lab
from tests.servers.testbed import Arena

_SAID = re.compile(r"writers waited for ([\d.]+) s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--rate", type=float, default=200, help="transactions a second, of all writers")
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument("--fence", choices=("triggers", "read_only"), default="triggers")
    parser.add_argument("--by-bucket", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="shardwright-bench-") as folder:
        servers = start_servers(Path(folder), ("source", "target_0", "target_1"))
        try:
            arena = Arena(servers[0], (servers[1], servers[2]), Path(folder))
            if options.by_bucket:
                lab = make_lab(arena, Path(folder), begun=False)
            else:
                lab = CutoverLab(arena, Path(folder), fence={"source": options.fence, "shards": options.fence})
            lab.application.writers = options.writers
            lab.application.pause = options.writers / options.rate
            lab.begin()
            _report(_pauses(lab, options.times, ("--buckets", "1") if options.by_bucket else ()))
        finally:
            for server in servers:
                remove_server(server.sandbox)


def _pauses(lab: CutoverLab, times: int, some: tuple[str, ...]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {"begin": [], "rollback": []}
    application = lab.application
    with lab.live() as run:
        for number in range(times):
            action = "begin" if number % 2 == 0 else "rollback"
            lab.follow_to_end(run)
            time.sleep(8)  # the stream has caught up with what was written while the run turned round
            before, since = application.written, time.monotonic()
            application.forget_pauses()
            said = _SAID.search(lab.cutover(action, *some))
            lab.writes_on(run, 200)
            rate = (application.written - before) / (time.monotonic() - since)
            found[action].append(float(said[1]) if some and said else application.longest_pause)
            print(
                f"{action}: writers saw {application.longest_pause:.2f} s, the command says {said[1] if said else '?'} s; "
                f"{rate:.0f} transactions/s over all",
                flush=True,
            )
        application.stop()
        if some and lab.state().state == "sharing":
            lab.cutover("rollback", "--buckets", "all")
        lab.follow_to_end(run)
        lab.equal()
    return found


def _report(found: dict[str, list[float]]) -> None:
    both = [pause for pauses in found.values() for pause in pauses]
    for name, pauses in (*found.items(), ("both", both)):
        ordered = sorted(pauses)
        print(f"{name}: {len(pauses)} times, median {statistics.median(pauses):.2f} s, most {ordered[-1]:.2f} s")


if __name__ == "__main__":
    main()
