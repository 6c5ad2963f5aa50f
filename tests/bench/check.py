"""`make bench-check`: runs the short benchmarks, and fails when a ratio is above its limit in `limits.yaml`.

    python -m tests.bench.check [--only compile,messages,copy,stream] [--json .build/bench/check.json]

A ratio is processor time of ours by that of a yardstick in the same run, so it means the same on any machine. Other work
on the machine disturbs both, not always alike: a benchmark with a ratio above its limit runs up to two more times, and
the least ratio counts.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.bench.limits import above_limits, complaints, hints, read_limits

_TRIES: Final = 3


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(BENCHMARKS), help="benchmarks, with commas between them")
    parser.add_argument("--json", type=Path, default=Path(".build/bench/check.json"), help="where the ratios go")
    options = parser.parse_args()
    chosen = options.only.split(",")
    if unknown := [name for name in chosen if name not in BENCHMARKS]:
        parser.error(f"no benchmark {', '.join(unknown)}: there are {', '.join(BENCHMARKS)}")
    limits = {name: limit for name, limit in read_limits().items() if name.partition(".")[0] in chosen}
    ratios: dict[str, float] = {}
    for name in chosen:
        print(f"== {name}", flush=True)
        found = least_of(BENCHMARKS[name], lambda found: above_limits(found, limits), tries=_TRIES)
        for ratio, value in found.items():
            most = f"{limits[ratio].most:7.3f}" if ratio in limits else "      -"
            print(f"{ratio:24} {value:7.3f} at most {most}", flush=True)
        ratios |= found
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(ratios, indent=2) + "\n", encoding="utf-8")
    for line in hints(ratios, limits):
        print(f"bench-check: {line}")
    wrong = complaints(ratios, limits)
    for line in wrong:
        print(f"bench-check: {line}", file=sys.stderr)
    return 1 if wrong else 0


def least_of(
    measure: Callable[[], Mapping[str, float]], above: Callable[[Mapping[str, float]], Sequence[str]], *, tries: int
) -> dict[str, float]:
    """What was measured. While `above` names a ratio, it is measured again, and the least value of each counts."""
    found = dict(measure())
    for _ in range(tries - 1):
        if not above(found):
            break
        again = measure()
        found = {name: min(value, again.get(name, value)) for name, value in found.items()}
    return found


def _compile() -> dict[str, float]:
    from tests.bench.compile.compile import measure

    busy = {name: statistics.median(run.busy for run in runs) for name, runs in measure(tables=100, rounds=3).items()}
    names = {"cold": "cold", "unchanged": "unchanged", "shop cold": "shop", "shop unchanged": "shop-unchanged"}
    return {f"compile.{short}": busy[name] / busy["parse"] for name, short in names.items()}


def _messages() -> dict[str, float]:
    from tests.bench.stream.messages import measure

    rounds = [measure(20_000) for _ in range(5)]
    took = {name: [each[name] for each in rounds] for name in rounds[0]}
    return {
        f"messages.{name.removesuffix('-json')}": statistics.median(ours / parsed for ours, parsed in each)
        for name, each in took.items()
    }


def _copy() -> dict[str, float]:
    from tests.bench.snapshot.reading import IN_USE, LINES, PYMYSQL, measure

    used = {name: statistics.median(used for _, used in taken) for name, taken in measure(200_000, 3).items()}
    return {"copy.placed-lines": used[IN_USE] / used[PYMYSQL], "copy.lines": used[LINES] / used[PYMYSQL]}


def _stream() -> dict[str, float]:
    from tests.bench.stream.decoders import OURS, THEIRS, measure

    used = {name: statistics.median(taken) for name, taken in measure(30_000, 3).items()}
    return {"stream.updates": used[OURS] / used[THEIRS]}


BENCHMARKS: Final[Mapping[str, Callable[[], dict[str, float]]]] = {
    "compile": _compile,
    "messages": _messages,
    "copy": _copy,
    "stream": _stream,
}
"""The first part of a ratio's name -> what measures it. Each takes less than a minute on an idle machine."""


if __name__ == "__main__":
    sys.exit(main())
