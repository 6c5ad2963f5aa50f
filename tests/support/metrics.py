"""Metrics as tests read them: of a port, or printed once by `exporter`."""

from __future__ import annotations

import urllib.request
from pathlib import Path

from tests.support.commands import shardwright
from tests.support.job import ENVIRONMENT


class Metrics:
    """A page of metrics of one migration. `samples`: name with labels -> value."""

    def __init__(self, text: str) -> None:
        self.text = text
        lines = [line for line in text.splitlines() if line and not line.startswith("#")]
        self.samples = {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines}

    def of(self, name: str, **labels: str) -> float | None:
        """The value of the metric with these labels, perhaps among others; None where it is left out."""
        wanted = [f'{label}="{value}"' for label, value in labels.items()]
        for sample, value in self.samples.items():
            if sample.partition("{")[0] == f"shardwright_{name}" and all(one in sample for one in wanted):
                return value
        return None

    def names(self) -> set[str]:
        return {sample.partition("{")[0] for sample in self.samples}


def scrape(port: int) -> Metrics:
    """Without any where nothing listens."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
            return Metrics(answer.read().decode("utf-8"))
    except OSError:
        return Metrics("")


def export(project: Path, *, env: str = ENVIRONMENT) -> Metrics:
    """What `exporter --once` prints."""
    return Metrics(shardwright(project, "exporter", "--env", env, "--once").require(0).out)
