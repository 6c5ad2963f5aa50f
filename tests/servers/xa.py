"""XA transactions in two phases, each step in a session of its own, as transaction managers do it after a crash."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

import pymysql

Run = Callable[..., Any]
"""Executes statements in one session, which then ends."""
_PATIENCE: Final = 20.0


def prepare(run: Run, xid: str, *statements: str) -> None:
    """The transaction outlives the session that prepares it. `xid` is written as in SQL."""
    run(f"XA START {xid}", *statements, f"XA END {xid}", f"XA PREPARE {xid}")


def commit(run: Run, xid: str) -> None:
    _end(run, f"XA COMMIT {xid}")


def roll_back(run: Run, xid: str) -> None:
    _end(run, f"XA ROLLBACK {xid}")


def _end(run: Run, statement: str) -> None:
    """A server does not know the transaction until the session that prepared it has gone (XAER_NOTA)."""
    give_up = time.monotonic() + _PATIENCE
    while True:
        try:
            run(statement)
        except pymysql.err.MySQLError:
            if time.monotonic() > give_up:
                raise
        else:
            return
        time.sleep(0.02)
