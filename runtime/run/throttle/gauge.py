"""Is a server's figure above its limit? A figure that cannot be read counts as too high (hazard G7).

Runs in the driver; asks one server, by the function that it is given.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

import pymysql

from shardwright.runtime.events.run import HoldKind
from shardwright.runtime.failures import RuntimeFailure

RELEASED_AT: Final = 0.8
"""A figure that was above its limit must fall to this part of it, so that writing does not stop and go."""


class NoFigure(Exception):
    """The server answers, but does not report the figure."""


class Signal(Protocol):
    """A reason to wait, for writing or copying."""

    def why_pause(self) -> str:
        """Why work must pause now, in words that stay the same while the reason does; empty when it need not pause."""

    @property
    def again(self) -> str:
        """What is reported when the signal no longer holds."""

    @property
    def kind(self) -> HoldKind:
        """Which of the kinds that there are."""


@dataclass
class Gauge:
    """A signal that holds while a figure is above its limit."""

    name: str
    """The server, for messages."""
    limit: float
    """In the unit of `read`."""
    read: Callable[[], float]
    """Asks for the figure now. Raises CannotTell, RuntimeFailure or the driver's error."""
    above: str
    """What is reported of `name` while the figure is above `limit`."""
    within: str
    """What is reported of `name` afterwards."""
    kind: HoldKind = "other"
    """What the figure is about."""
    _is_above: bool = field(init=False, default=False)

    @property
    def again(self) -> str:
        return f"{self.name} {self.within}"

    def why_pause(self) -> str:
        try:
            figure = self.read()
        except RuntimeFailure as failure:
            return self._silent(failure.message)
        except NoFigure as failure:
            return self._silent(str(failure))
        except (pymysql.err.MySQLError, OSError) as error:
            return self._silent(" ".join(map(str, error.args)))
        self._is_above = figure > (self.limit * RELEASED_AT if self._is_above else self.limit)
        return f"{self.name} {self.above}" if self._is_above else ""

    def _silent(self, why: str) -> str:
        return f"{self.name} gives no reading ({why})"
