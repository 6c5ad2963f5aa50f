"""Can a run begin on the Spark cluster, and can strangers read what that holds? Passwords travel in its tasks, and rows
are in its blocks.

Runs in the driver; reads secrets, and knocks at the master's port.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import Final

from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.mysql.check import Check, Fault, Verdict, judge_faults, warn
from shardwright.runtime.spark.session import on_this_machine
from shardwright.runtime.spark.settings import resolve_settings
from shardwright.specs.environment.environment import SparkSettings

_OPTION: Final = "spark.authenticate"
_SECRET: Final = ("spark.authenticate.secret", "spark.authenticate.secret.file")
_STANDALONE: Final = re.compile(r"spark://(?P<places>.+)")
_SECONDS: Final = 5.0


def cluster_checks(settings: SparkSettings, environ: Mapping[str, str]) -> Iterator[Check]:
    """Yields nothing for a local master, where Spark always authenticates unless the environment switches it off."""
    try:
        conf = resolve_settings(settings, environ).values
    except InputAtFault as failure:
        yield Check("spark", settings.master, Verdict.REFUSED, failure.message, code=failure.code)
        return
    local = on_this_machine(settings)
    on = conf.get(_OPTION, str(local)).lower() == "true"
    if on and local:
        return
    standalone = _STANDALONE.fullmatch(settings.master)
    if on and standalone and not any(name in conf for name in _SECRET):
        what = f"{_OPTION} is on, and a standalone cluster gives no secret to its applications"
        advice = f"name the one that master and workers have: {_SECRET[0]}: {{env: NAME}} under spark.conf"
        yield from judge_faults("spark", settings.master, [Fault("SW7021", what, advice)], otherwise="")
    else:
        yield warn(
            "spark", settings.master,
            warning=None if on else f"{_OPTION} is off: anyone who reaches its ports can read passwords and rows",
            way_out=f"{_OPTION}: 'true' under spark.conf, and spark.network.crypto.enabled "
            "(docs/how-to/cluster.md, Secrets)",
            otherwise=f"{_OPTION} is on",
        )  # fmt: skip
    if standalone:
        yield _master(settings.master, standalone["places"].split(","))


def _master(master: str, places: list[str]) -> Check:
    """One of them leads; the others wait."""
    why = ""
    for place in places:
        host, _, port = place.rpartition(":")
        try:
            with closing(socket.create_connection((host.strip("[]"), int(port)), timeout=_SECONDS)):
                return Check("spark master", master, Verdict.OK, "it answers")
        except (OSError, ValueError) as error:
            why = f"{place}: {error}"
    return Check("spark master", master, Verdict.UNKNOWN, f"no master answers ({why}): start it", code="SW8107")
