"""Which settings does Spark get from the environment file, and which of them must nobody else see?

Runs in the driver; reads secrets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shardwright.runtime.failures import InputAtFault
from shardwright.specs.environment.environment import SparkSettings
from shardwright.specs.environment.read import SecretUnavailable, resolve_secret


@dataclass(frozen=True, slots=True)
class FoundSettings:
    """The settings of the file, with their values."""

    values: Mapping[str, str]
    hidden: frozenset[str]
    """Those whose values the file refers to."""


def resolve_settings(settings: SparkSettings, environ: Mapping[str, str]) -> FoundSettings:
    """Raises InputAtFault (SW7003) when one is not where its reference says."""
    values, hidden = {}, set()
    for name, value in settings.conf.items():
        if isinstance(value, str):
            values[name] = value
            continue
        try:
            values[name] = resolve_secret(value, environ)
        except SecretUnavailable as error:
            raise InputAtFault(error.code, f"spark.conf, {name}: {error}") from error
        hidden.add(name)
    return FoundSettings(values, frozenset(hidden))
