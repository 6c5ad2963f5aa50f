"""Two machines as far as the network goes: network namespaces behind a bridge where root may make them, else two
addresses of this machine's loopback.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """`words` stand before a command that is to be executed there."""

    address: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Networks:
    """`here` is the address by which both places reach this process."""

    here: str
    places: tuple[Place, Place]


@contextmanager
def two_places() -> Iterator[Networks]:
    name, net = f"sw{os.getpid() % 100_000}", f"10.213.{os.getpid() % 250}"
    if shutil.which("ip") is None or not _succeeds("netns", "add", f"{name}-1"):
        yield Networks("127.0.0.1", (Place("127.0.0.2"), Place("127.0.0.3")))
        return
    try:
        _do("link", "add", name, "type", "bridge")
        _do("addr", "add", f"{net}.1/24", "dev", name)
        _do("link", "set", name, "up")
        places = []
        for number in (1, 2):
            space, ours, theirs = f"{name}-{number}", f"{name}a{number}", f"{name}b{number}"
            if number > 1:
                _do("netns", "add", space)
            _do("link", "add", ours, "type", "veth", "peer", "name", theirs, "netns", space)
            _do("link", "set", ours, "master", name, "up")
            _do("-n", space, "addr", "add", f"{net}.{number + 1}/24", "dev", theirs)
            for device in ("lo", theirs):
                _do("-n", space, "link", "set", device, "up")
            places.append(Place(f"{net}.{number + 1}", ("ip", "netns", "exec", space)))
        yield Networks(f"{net}.1", (places[0], places[1]))
    finally:
        for number in (1, 2):
            _succeeds("netns", "del", f"{name}-{number}")
        _succeeds("link", "del", name)


def _succeeds(*words: str) -> bool:
    return subprocess.run(["ip", *words], capture_output=True, check=False, timeout=30).returncode == 0


def _do(*words: str) -> None:
    done = subprocess.run(["ip", *words], capture_output=True, check=False, timeout=30, text=True)
    assert done.returncode == 0, (words, done.stderr)
