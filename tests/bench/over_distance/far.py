"""Servers that are far from the tool, and near to whoever writes and looks at them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.servers.distance import Distance, Request, Traffic
from tests.support.job import ENVIRONMENT, Job

_MS = 1_000.0
_WATCHES = {"FROM `_shardwright_control`": (1, 0), "IS_USED_LOCK": (3, 1)}
"""What watches ask -> round trips and connections of each time."""


@dataclass(frozen=True, slots=True)
class Far:
    """One measured setting: how far which side is."""

    place: str
    """`shards` or `source`: the side that is far."""
    milliseconds: float
    """Each way."""
    bytes_a_second: float | None = None

    def __str__(self) -> str:
        return f"{self.place} {self.milliseconds:g} ms"


class Lines:
    """The proxies before all servers of a job: `source`, and one for each server of shards."""

    def __init__(self, job: Job, far: Far) -> None:
        file = job.project / "environments" / f"{ENVIRONMENT}.yaml"
        self._file, self._original = file, file.read_text(encoding="utf-8")
        settings = yaml.safe_load(self._original)
        self.by_name: dict[str, Distance] = {}
        shards = settings["servers"]
        for name, server in (("source", settings["source"]), *shards.items()):
            is_far = (far.place == "source") == (server is settings["source"])
            delay = far.milliseconds / _MS if is_far else 0.0
            capped = far.bytes_a_second if is_far else None
            proxy = Distance(server["host"], server["port"], delay, capped, listing=True)
            server |= {"host": "127.0.0.1", "port": proxy.port, "tls": "off"}
            self.by_name[name] = proxy
        file.write_text(yaml.safe_dump(settings, sort_keys=False), encoding="utf-8")

    def read(self) -> dict[str, Traffic]:
        return {name: proxy.read() for name, proxy in self.by_name.items()}

    def forget(self) -> None:
        """Requests of before are listed no more."""
        for proxy in self.by_name.values():
            proxy.requests.clear()

    def read_watching(self) -> dict[str, Traffic]:
        """What watches of the run have cost since `forget`, which ask at an even rate, whatever the stream does: for
        orders, and for DDL that blocks, each time over a connection of its own."""
        return {
            name: Traffic(sum(_WATCHES[kind][0] for kind in found), sum(_WATCHES[kind][1] for kind in found))
            for name, proxy in self.by_name.items()
            for found in [[kind for one in proxy.requests for kind in _WATCHES if kind in one.text]]
        }

    def requests(self) -> list[tuple[str, Request]]:
        """Of all servers, by time."""
        found = [(name, request) for name, proxy in self.by_name.items() for request in proxy.requests]
        return sorted(found, key=lambda item: item[1].at)

    def close(self) -> None:
        self._file.write_text(self._original, encoding="utf-8")
        for proxy in self.by_name.values():
            proxy.close()


@contextmanager
def far_away(job: Job, far: Far) -> Iterator[Lines]:
    """Within, the commands of the job reach their servers over that distance."""
    lines = Lines(job, far)
    try:
        yield lines
    finally:
        lines.close()


def subtract(after: Mapping[str, Traffic], before: Mapping[str, Traffic]) -> dict[str, Traffic]:
    return {name: traffic - before[name] for name, traffic in after.items()}


def as_json(traffic: Mapping[str, Traffic], *, each: int = 1) -> dict[str, Any]:
    """Round trips and new connections by server, divided by `each`."""
    return {
        name: {
            "round_trips": round(one.round_trips / each, 1),
            "connections": round(one.connections / each, 2),
            "kilobytes": round((one.sent + one.received) / each / 1e3, 1),
        }
        for name, one in traffic.items()
    }


def write_list(lines: Lines, file: Path, title: str) -> None:
    """Appends all statements, by time."""
    requests = lines.requests()
    with file.open("a", encoding="utf-8") as out:
        out.write(f"\n== {title}: {len(requests)}\n")
        for name, request in requests:
            out.write(f"{request.at:.3f} {name}#{request.connection} {request.text}\n")
