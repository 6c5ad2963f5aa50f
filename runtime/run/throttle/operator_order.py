"""What has the operator ordered? Asked about once a second; an order that cannot be read pauses work (hazard G7).

Runs in the driver; reads the first shard's ledger.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field

import pymysql

from shardwright.runtime.events.event import Emit
from shardwright.runtime.events.run import HoldKind, OperatorPause, OperatorResume
from shardwright.runtime.failures import RuntimeFailure, Unreachable
from shardwright.runtime.ledger.orders import READ, Order, order_of
from shardwright.runtime.mysql.monitor import Probe
from shardwright.runtime.mysql.transient_errors import as_trouble, passes

_EVERY_SECONDS = 1.0


@dataclass
class OperatorOrder:
    """The signal of an operator's order. The threads of copying and writing ask it, and a thread of its own while
    nothing is written."""

    probe: Probe
    """Asks the first shard's server."""
    migration: str
    """The migration's name, by which the ledger has the order."""
    resume: str
    """The command that lets a paused migration go on, for messages."""
    emit: Emit
    """Reports an event to the operator."""
    last: Order = field(init=False, default_factory=Order)
    """The last order that could be read."""
    _failure: Exception | None = field(init=False, default=None)
    _was_silent: bool = field(init=False, default=False)
    _looked: float = field(init=False, default=float("-inf"))
    _lock: threading.Lock = field(init=False, default_factory=threading.Lock)
    _closed: threading.Event = field(init=False, default_factory=threading.Event)

    def listen(self) -> None:
        """From now on new orders are reported when they are given, also while nothing is written. Ends with `close`."""
        threading.Thread(target=self._listen, name="orders", daemon=True).start()

    def close(self) -> None:
        self._closed.set()

    def look(self) -> Order:
        """The order, asked for again when the last answer is a second old. A new order is reported."""
        with self._lock:
            if time.monotonic() - self._looked < _EVERY_SECONDS:
                return self.last
            before = self.last
            try:
                self.last, self._failure = order_of(self.probe.ask(READ, (self.migration,))), None
            except (RuntimeFailure, pymysql.err.MySQLError, OSError) as error:
                self._failure = error
            self._looked = time.monotonic()
            now = self.last
        if now.paused and now != before:
            self.emit(OperatorPause(now.pause_sentence, self.resume))
        elif before.paused and not now.paused:
            self.emit(OperatorResume(now.paused_by))
        return now

    def why_pause(self) -> str:
        """Why work must pause. Raises Unreachable or ServerTrouble while the first shard cannot be reached.

        Without its ledger nothing can be written. The run tries again as after any transient error, and the next
        attempt reads the order first.
        """
        order, failure = self.look(), self._failure
        if failure is not None:
            if isinstance(failure, Unreachable):
                raise failure
            if isinstance(failure, pymysql.err.MySQLError) and passes(failure):
                raise as_trouble(failure, "the order in the first shard's ledger") from failure
            self._was_silent = True
            return f"the operator's order cannot be read ({_error_text(failure)})"
        if not order.paused:
            return ""
        self._was_silent = False
        return f"paused by {order.paused_by}"

    @property
    def kind(self) -> HoldKind:
        return "operator"

    @property
    def again(self) -> str:
        return "orders can be read again" if self._was_silent else f"resumed by {self.last.paused_by}"

    def _listen(self) -> None:
        while not self._closed.wait(_EVERY_SECONDS):
            self.look()
        with self._lock:
            self.probe.close()


def _error_text(failure: Exception) -> str:
    return failure.message if isinstance(failure, RuntimeFailure) else " ".join(map(str, failure.args))
