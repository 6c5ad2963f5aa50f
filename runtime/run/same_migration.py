"""A migration that has begun goes on with the plan and the sources it was begun with."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from shardwright.compiler.plan.plan import Plan
from shardwright.runtime.failures import Refused
from shardwright.specs.findings.remedies import START_OVER


def require_same_plan(recorded: str, plan: Plan) -> None:
    """A migration is finished with the plan it was started with."""
    if recorded != plan.fingerprint:
        raise Refused(
            "SW8203",
            f"migration {plan.migration} was started with plan {recorded}, this is plan {plan.fingerprint}: compile the "
            "spec it was started with, or give the changed spec a new migration name and empty targets",
        )


def require_same_sources(
    recorded: Mapping[str, str], found: Mapping[str, str], *, movable: Collection[str], aside: Collection[str]
) -> None:
    """Positions mean nothing on another server. Both are by source name; a `movable` source is asked later where it stands
    now (see `run.resume`), those set `aside` are not asked."""
    if set(recorded) != {*found, *aside}:
        raise Refused(
            "SW8205",
            f"this migration follows the sources {', '.join(sorted(recorded))}, the environment names "
            f"{', '.join(sorted(found))}: name them as before",
        )
    for name, identity in found.items():
        if recorded[name] != identity and name not in movable:
            raise Refused(
                "SW8205",
                f"{name} is server {identity}, but this migration follows server {recorded[name]}: point the environment "
                f"back, or {START_OVER}",
            )
