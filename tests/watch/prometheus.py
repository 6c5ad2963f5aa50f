"""A real Prometheus and its promtool: those of the machine, or Debian's, unpacked once per machine and not installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from shardwright.runtime.rehearsal.sandbox.local import free_port
from tests.support.waiting import wait_until

_PROGRAMS: Final = ("prometheus", "promtool")
_CACHE: Final = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "shardwright" / "prometheus"
_REMEDY: Final = (
    "install Prometheus, so that `prometheus` and `promtool` are found (Debian: apt-get install prometheus)"
)


def find_program(name: str) -> str:
    """The path of `prometheus` or `promtool`. Fails where neither the machine nor Debian has it."""
    found = shutil.which(name)
    if found is None and not (_CACHE / name).exists():
        _fetch()
    return found or str(_CACHE / name)


def _fetch() -> None:
    """19 MB, from the mirror that apt has."""
    _CACHE.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=_CACHE.parent) as folder:
        try:
            for command in (["apt-get", "-qq", "download", "prometheus"], ["sh", "-c", "dpkg-deb --extract *.deb ."]):
                subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, timeout=300)
        except (OSError, subprocess.SubprocessError) as error:
            raise AssertionError(f"{_REMEDY}: {getattr(error, 'stderr', '') or error}") from None
        _CACHE.mkdir(exist_ok=True)
        for name in _PROGRAMS:
            os.replace(Path(folder) / "usr" / "bin" / name, _CACHE / name)


def promtool(*arguments: str | Path, given: str = "") -> str:
    """What it prints. It must find nothing to complain about."""
    command = [find_program("promtool"), *map(str, arguments)]
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout + done.stderr


@dataclass(frozen=True)
class Prometheus:
    """One that runs."""

    address: str

    def ask(self, path: str) -> Any:
        """The data of an answer of its API."""
        with urllib.request.urlopen(f"http://{self.address}/api/v1/{path}", timeout=10) as answer:
            return json.load(answer)["data"]

    def find_firing(self) -> set[str]:
        """The names of the alerts that fire."""
        alerts = self.ask("alerts")["alerts"]
        return {alert["labels"]["alertname"] for alert in alerts if alert["state"] == "firing"}


@contextmanager
def start_prometheus(config: Path, folder: Path) -> Iterator[Prometheus]:
    """Within, it runs with that configuration."""
    address = f"127.0.0.1:{free_port()}"
    options = [f"--config.file={config}", f"--storage.tsdb.path={folder}/data", f"--web.listen-address={address}"]
    with (folder / "prometheus.log").open("w") as log:
        process = subprocess.Popen([find_program("prometheus"), *options], stdout=log, stderr=log, cwd=folder)
    try:
        running = Prometheus(address)
        wait_until(
            "Prometheus answers", lambda: _answers(running), run=process, show=(folder / "prometheus.log").read_text
        )
        yield running
    finally:
        process.terminate()
        process.wait(timeout=60)


def _answers(running: Prometheus) -> bool:
    try:
        return bool(running.ask("rules"))
    except OSError:
        return False
