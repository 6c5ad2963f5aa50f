"""The source purges log files while rows are copied (B4): nothing is lost that was applied, and the run ends by name
before a gap."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import Popen

import pytest

from shardwright.runtime.rehearsal.sandbox.accounts import RUNTIME_USER
from tests.servers.testbed import Arena, Server
from tests.support.job import ENVIRONMENT
from tests.support.lab import SPARK, Lab, log_head, move, new_family
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]

FAMILIES = 120
CONNECTIONS = 2


@pytest.mark.in_turn
def test_b4_e3_g8_the_log_is_purged_during_the_copy_and_only_unread_changes_end_the_run(
    arena: Arena, tmp_path: Path
) -> None:
    settings = {
        "spark": SPARK,
        "snapshot": {"chunk_rows": 10},
        "throttle": {"rows_per_second": 10, "connections": CONNECTIONS},
    }
    lab = Lab(arena, tmp_path, flat=True, settings=settings)
    lab.create_source()
    lab.fill({number: number % 4 for number in range(FAMILIES)})
    with lab.run(gated=False) as run:
        lab.until(run, "a chunk is copied", lambda: "chunk=" in lab.job.log.read_text())
        with _asleep(run):
            _purge(lab)  # what is purged was applied
        lab.until(run, "it continues behind the purge", lambda: "and all before" in lab.job.log.read_text())
        with _connections(arena.placement[lab.shards[1]]) as counts:
            for number in range(8):
                lab.write(*move(number, (number + 1) % 4), *new_family(FAMILIES + number, number % 4))
            lab.drain(run)
            seen = len(counts)
            lab.until(run, "no connection is kept", lambda: 0 in counts[seen:])
        assert 0 < max(counts) <= CONNECTIONS, "of the copy and the stream together"
        assert "the stream continues at" in lab.job.call("preflight", "--env", ENVIRONMENT)
        assert not lab.ledger_state().snapshot_done, "the purge is to come during the copy"
        heard = len(lab.job.log.read_text())
        with _asleep(run):
            lab.write(*move(3, 2))
            unread = log_head(arena.source)
            _purge(lab)
        lab.wait_for_end(run, code=6)
    kept, rows = lab.ledger_state(), _rows(lab)
    assert kept.position is not None and kept.position < unread
    place = f"{arena.source.host}:{arena.source.port} has purged its log from {kept.file}:{kept.position[1]} to "
    lost = f"SW8133: {re.escape(place)}.* is lost to us, of lab.child, lab.parent: start the migration over"
    assert re.search(lost, lab.job.log.read_text()[heard:]), lab.job.end_of_log()
    assert place in lab.job.call("preflight", "--env", ENVIRONMENT, expect=6)
    heard = len(lab.job.log.read_text())
    lab.job.call("run", "--env", ENVIRONMENT, "--until", "caught-up", expect=6)
    assert re.search(lost, lab.job.log.read_text()[heard:]), lab.job.end_of_log()
    assert (lab.ledger_state(), _rows(lab)) == (kept, rows), "a refused run changes nothing"


@contextmanager
def _connections(server: Server) -> Iterator[list[int]]:
    """How many the run has to a server without the first shard, within, at each look."""
    counts, done = [0], threading.Event()
    asked = f"SELECT COUNT(*) FROM information_schema.processlist WHERE user = '{RUNTIME_USER}'"

    def look() -> None:
        with server.connect() as connection, connection.cursor() as cursor:
            while not done.wait(0.01):
                cursor.execute(asked)
                counts.append(int(cursor.fetchall()[0][0]))

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield counts
    finally:
        done.set()
        looking.join()


@contextmanager
def _asleep(run: Popen[bytes]) -> Iterator[None]:
    """The driver does nothing, so that it reads no log before the purge."""
    os.kill(run.pid, signal.SIGSTOP)
    time.sleep(0.2)  # what it has asked the source for is answered
    yield
    os.kill(run.pid, signal.SIGCONT)


def _purge(lab: Lab) -> None:
    """MariaDB keeps a file until all that it holds is safe in the engine, which it finds out by itself."""
    source = lab.arena.source
    source.query("FLUSH BINARY LOGS")
    newest = source.log_end()[0]

    def is_purged() -> bool:
        source.query(f"PURGE BINARY LOGS TO '{newest}'")
        return len(source.query("SHOW BINARY LOGS")) == 1

    wait_until("the source keeps one file", is_purged, seconds=60)


def _rows(lab: Lab) -> list[list[tuple[object, ...]]]:
    return [
        sorted(lab.at(shard, f"SELECT * FROM {table}_{part}"))
        for shard in range(2)
        for part in range(2)
        for table in ("parent", "child")
    ]
