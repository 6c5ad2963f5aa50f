"""A figure that a server tells, held against a limit. One that cannot be read counts as too high (hazard G7)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

import pymysql

from shardwright.runtime.failures import RuntimeFailure

RELEASED_AT: Final = 0.8
"""A figure that was above its limit must fall to this part of it, so that writing does not stop and go with every look."""


class CannotTell(Exception):
    """A server that answers, but does not say what it was asked for."""


class Signal(Protocol):
    """What writing waits for."""

    def holding(self) -> str:
        """Why writing must pause now, in words that stay the same while the reason does; empty when it need not."""

    @property
    def again(self) -> str:
        """What is told when it no longer holds."""


@dataclass
class Gauge:
    """`read` asks now; it raises CannotTell, RuntimeFailure or the driver's error. `above` and `again` are what is said of `name` while the
    figure is above `limit`, and afterwards."""

    name: str
    limit: float
    read: Callable[[], float]
    above: str
    within: str
    _is_above: bool = field(init=False, default=False)

    @property
    def again(self) -> str:
        return f"{self.name} {self.within}"

    def holding(self) -> str:
        try:
            figure = self.read()
        except RuntimeFailure as failure:
            return self._silent(failure.message)
        except CannotTell as failure:
            return self._silent(str(failure))
        except (pymysql.err.MySQLError, OSError) as error:
            return self._silent(" ".join(map(str, error.args)))
        self._is_above = figure > (self.limit * RELEASED_AT if self._is_above else self.limit)
        return f"{self.name} {self.above}" if self._is_above else ""

    def _silent(self, why: str) -> str:
        return f"{self.name} cannot be asked ({why})"
