"""Makes the repository's own modules (`tests.…`, `examples.…`) importable and offers the servers to every test."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))

# Where Python may not write compiled files, each of hundreds of processes compiles our modules again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

pytest_plugins = ["tests.servers.fixtures"]


def pytest_configure(config: pytest.Config) -> None:
    from tests.servers.spark_archive import use_archive
    from tests.support.durations import Durations

    use_archive()
    config.pluginmanager.register(Durations())
    # A slow machine is no finding. `make test-all` tries more examples of everything.
    settings.register_profile(
        "patient",
        settings(),
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
        max_examples=int(os.environ.get("SHARDWRIGHT_FUZZ_EXAMPLES", "50")),
    )
    settings.load_profile("patient")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    from tests.servers import forks

    forks.set_cold(item.get_closest_marker("cold") is not None)


def pytest_report_header() -> list[str]:
    from tests.support.turns import describe_turn

    return describe_turn()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Files with long tests come first: in the end no worker is to wait for another one's long file."""
    from tests.support.turns import leave_out_other_turns

    leave_out_other_turns(config, items)
    weights = {mark: weight for weight, mark in enumerate(("slow", "spark", "server"))}
    heaviest: dict[Path, int] = {}
    for item in items:
        weight = min((weights[mark.name] for mark in item.iter_markers() if mark.name in weights), default=len(weights))
        heaviest[item.path] = min(weight, heaviest.get(item.path, weight))
    items.sort(key=lambda item: heaviest[item.path])
