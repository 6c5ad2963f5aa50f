"""Servers that are far from the tool, and near to whoever writes and looks at them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import yaml

from tests.servers.distance import Distance, Request, Traffic
from tests.support.job import ENVIRONMENT, Job

_MS = 1_000.0


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

    def __init__(self, job: Job, far: Far, *, listing: bool = False) -> None:
        file = job.project / "environments" / f"{ENVIRONMENT}.yaml"
        self._file, self._original = file, file.read_text(encoding="utf-8")
        settings = yaml.safe_load(self._original)
        self.by_name: dict[str, Distance] = {}
        shards = settings["servers"]
        for name, server in (("source", settings["source"]), *shards.items()):
            is_far = (far.place == "source") == (server is settings["source"])
            delay = far.milliseconds / _MS if is_far else 0.0
            capped = far.bytes_a_second if is_far else None
            proxy = Distance(server["host"], server["port"], delay, capped, listing=listing)
            server |= {"host": "127.0.0.1", "port": proxy.port, "tls": "off"}
            self.by_name[name] = proxy
        file.write_text(yaml.safe_dump(settings, sort_keys=False), encoding="utf-8")

    def read(self) -> dict[str, Traffic]:
        return {name: proxy.read() for name, proxy in self.by_name.items()}

    def requests(self) -> list[tuple[str, Request]]:
        """Of all servers, by time."""
        found = [(name, request) for name, proxy in self.by_name.items() for request in proxy.requests]
        return sorted(found, key=lambda item: item[1].at)

    def close(self) -> None:
        self._file.write_text(self._original, encoding="utf-8")
        for proxy in self.by_name.values():
            proxy.close()


@contextmanager
def far_away(job: Job, far: Far, *, listing: bool = False) -> Iterator[Lines]:
    """Within, the commands of the job reach their servers over that distance."""
    lines = Lines(job, far, listing=listing)
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
