"""A small migration whose runs stop where a test says: gates at the product's failpoints, and the source's writes."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from pymysql.connections import Connection
from pymysql.cursors import Cursor

from shardwright.runtime.failpoints import VARIABLE
from shardwright.runtime.rehearsal.sandbox import sandbox
from tests.oracle.compare import compare
from tests.oracle.observer import Observer
from tests.oracle.tables import Table
from tests.servers import forks
from tests.servers.testbed import Arena, Server
from tests.support.gates import Gates
from tests.support.job import ENVIRONMENT, Job, kill_tree
from tests.support.ledger_state import LedgerState, read_ledger_state, read_position
from tests.support.waiting import PATIENCE, wait_until

PROJECT = Path(__file__).with_name("lab_project")
SHARDS = ("lab_0", "lab_1")
SUFFIXES = ("_0", "_1")
# More cores than the machine has: a task that waits at a gate holds one, and the stream must go on beside it.
# Generated code takes longer to compile than these few rows take without it: a fifth of Java's time. Whole jobs
# (tests/e2e) have it.
SPARK = {
    "master": "local[6]",
    "conf": {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        **sandbox.SPARK["conf"],
    },
}

Write = str | Sequence[str]


def place_of(values: tuple[bytes | None, ...]) -> tuple[str, str]:
    """The rule of the spec, read by a person."""
    (value,) = values
    assert value is not None
    return SHARDS[int(value) % 2], SUFFIXES[int(value) // 2 % 2]


TABLES = (
    Table("parent", ("lab.parent",), ("id",), SHARDS, SUFFIXES, ("place",), place_of),
    Table("child", ("lab.child",), ("id", "line"), SHARDS, SUFFIXES, ("place",), place_of),
)


class Lab:
    """One migration of parents and children from `lab` to two shards with two tables each, and its run."""

    def __init__(
        self,
        arena: Arena,
        folder: Path,
        *,
        shards: tuple[str, ...] = SHARDS,
        flat: bool = False,
        settings: Mapping[str, Any] | None = None,
        example: Path = PROJECT,
    ) -> None:
        """`flat`: all weights are the same, so that no chunk waits for the stream."""
        self.example = example
        project = shutil.copytree(example, folder / "spec")
        spec = project / "specs" / "lab.yaml"
        text = spec.read_text(encoding="utf-8").replace('"lab_{0..1}"', json.dumps(shards))
        spec.write_text(re.sub(r"weight: \d+", "weight: 0", text) if flat else text, encoding="utf-8")
        self.arena = arena
        self.shards = shards
        self.scratch = folder / "scratch"
        self.scratch.mkdir()
        own = {"spark": SPARK, "work_dir": str(self.scratch)}
        self.job = Job(arena, project, folder, settings={**own, **(settings or {})})
        self.gates = Gates(folder / "gates")
        self.job.call("compile")
        self._pulses = 0

    def create_source(self) -> None:
        self.arena.source.run_script(self.example / "schema" / "lab.sql", database="lab")

    # -- the source ---------------------------------------------------------------------------------------------

    def write(self, *statements: str) -> None:
        """One transaction at the source."""
        with self.arena.source.connect("lab", autocommit=False) as connection, connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
            connection.commit()

    def write_all(self, transactions: Sequence[Write]) -> None:
        """One transaction after the other."""
        for transaction in transactions:
            self.write(*([transaction] if isinstance(transaction, str) else transaction))

    def fill(self, rows: Mapping[int, int], *, lines: int = 2) -> None:
        """Parents `id: place`, each named `nID` and with `lines` children."""
        self.write(*(statement for id_, place in rows.items() for statement in new_family(id_, place, lines=lines)))

    # -- the run ------------------------------------------------------------------------------------------------

    def start(
        self,
        *,
        until: str = "forever",
        gated: bool = True,
        failpoints: str = "",
        within: Sequence[str] = (),
        arguments: Sequence[str] = (),
    ) -> subprocess.Popen[bytes]:
        """Start `run` in the background, in a session of its own. `within` is a command that runs what follows it,
        `arguments` are further ones of `run`."""
        environ = {"TMPDIR": str(self.scratch), **(self.gates.environ() if gated else {})}
        if failpoints:
            environ[VARIABLE] = failpoints
        with self.job.log.open("ab") as log:
            log.write(f"\n$ run --until {until} {failpoints}\n".encode())
            log.flush()
            command = ("run", "--env", ENVIRONMENT, "--until", until, *arguments)
            return forks.start(self.job.project, *command, out=log, environ=environ, within=within)

    @contextmanager
    def run(self, *, until: str = "forever", gated: bool = True) -> Iterator[subprocess.Popen[bytes]]:
        """Within, a run is under way; whatever is left of it on leaving is killed."""
        process = self.start(until=until, gated=gated)
        try:
            yield process
        finally:
            kill_tree(process)

    def delete_temporary_files(self) -> int:
        """Delete the folders that runs have made for themselves and for Spark. Returns how many there were."""
        folders = [path for path in self.scratch.glob("*") if path.is_dir()]
        for folder in folders:
            shutil.rmtree(folder)
        return len(folders)

    def finish(self) -> None:
        """A run to the end of the log, without gates."""
        self.job.run_until_caught_up()

    def reach(self, process: subprocess.Popen[bytes], *names: str) -> None:
        """Wait until the run stands at (or has passed) each gate."""
        for name in names:
            self.until(process, f"{name} is reached", lambda name=name: self.gates.is_reached(name))  # type: ignore[misc]

    def drain(self, process: subprocess.Popen[bytes]) -> None:
        """Wait until the stream stands where the source's log ends now."""
        head = log_head(self.arena.source)

        def is_passed() -> bool:
            at = read_position(self.arena, self.shards)
            return at is not None and at >= head

        self.until(process, f"the stream has passed {head}", is_passed)

    def until(self, process: subprocess.Popen[bytes], what: str, holds: Callable[[], bool]) -> None:
        wait_until(what, holds, run=process, show=lambda: f"{self.ledger_state()}\n{self.job.end_of_log()}")

    def wait_for_end(self, process: subprocess.Popen[bytes], *, code: int, saying: str = "") -> str:
        """Wait for the run to end by itself; it ended with `code` and said so. Returns the end of its log."""
        try:
            got = process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"the run does not end:\n{self.job.end_of_log()}") from None
        log = self.job.end_of_log()
        assert got == code, f"expected {code}, run ended with {got}:\n{log}"
        assert saying in log, f"'{saying}' was not said:\n{log}"
        assert "Traceback" not in log, log
        return log

    def gather(self, process: subprocess.Popen[bytes], *transactions: Write) -> None:
        """Write transactions that the stream takes as one batch, and stop it before it opens that batch.

        A batch of no interest is held while they are written, so that the next one finds them all.
        """
        self.gates.hold("before-open-batch")
        self._pulse()
        self.reach(process, "before-open-batch")
        self.write_all(transactions)
        self.gates.hold("before-close-batch")
        self.gates.open("before-open-batch")
        self.reach(process, "before-close-batch")
        self.gates.hold("before-open-batch")
        self.gates.open("before-close-batch")
        self.reach(process, "before-open-batch")

    def one_batch(self, process: subprocess.Popen[bytes], *transactions: Write) -> None:
        """Write transactions, have the stream apply them as one batch, and wait for it."""
        self.gather(process, *transactions)
        before = self.ledger_state().batch
        self.gates.open("before-open-batch")
        self.drain(process)
        assert self.ledger_state().batch == before + 1, "they were to be one batch"

    def _pulse(self) -> None:
        self._pulses += 1
        self.write(*new_family(1_000_000 + self._pulses, self._pulses % 4, lines=1))

    def lock_waits(self) -> bool:
        """Whether a transaction on a target waits for another one's locks."""
        return any(server.waiting_transactions() for server in self.arena.targets)

    # -- the shards ---------------------------------------------------------------------------------------------

    def ledger_state(self) -> LedgerState:
        return read_ledger_state(self.arena, self.shards)

    def places(self, id_: int) -> list[int]:
        """Every place where parent `id_` stands."""
        return [
            place
            for place in range(4)
            if self.at(place, f"SELECT 1 FROM parent{SUFFIXES[place // 2]} WHERE id = {id_}")
        ]

    def lines(self, id_: int, place: int) -> int:
        """How many children of parent `id_` stand at a place."""
        ((count,),) = self.at(place, f"SELECT COUNT(*) FROM child{SUFFIXES[place // 2]} WHERE id = {id_}")
        return int(count)

    def at(self, place: int, sql: str) -> list[tuple[Any, ...]]:
        database = self.shards[place % 2]
        return self.arena.placement[database].query(sql, database=database)

    def require_equal(self) -> None:
        """The shards hold the source, each row once and in its place."""
        with ExitStack() as stack:
            source = stack.enter_context(self.arena.source.connect("lab"))
            shards = {name: stack.enter_context(self.arena.shard(name)) for name in self.shards}
            differences = compare(source, self.tables(source), shards)
        assert not differences, "\n".join(differences)

    def tables(self, source: Connection[Cursor]) -> Sequence[Table]:
        """What the oracle is told; `source` may be asked for what the spec leaves to its rows."""
        return TABLES

    @contextmanager
    def observe(self, *, rest: float = 60.0) -> Iterator[None]:
        """Within, no parent is seen without its details and no row rests in two shards."""
        connect: dict[str, Callable[[], Connection[Cursor]]] = {
            database: lambda database=database: self.arena.shard(database)  # type: ignore[misc]
            for database in self.shards
        }
        names = {"parent": "parent", "detail": "child", "key": "id"}
        with Observer(connect, suffixes=SUFFIXES, interval=0.03, rest=rest, **names) as observer:
            yield
        assert observer.looks > 10, "the observer was asleep"
        assert not observer.violations, "\n".join(observer.violations[:10])


def new_family(id_: int, place: int, *, lines: int = 2, note: str = "", name: str | None = None) -> list[str]:
    """A parent and its children, as statements of one transaction."""
    details = ", ".join(f"({id_}, {line}, {place}, '{note}')" for line in range(1, lines + 1))
    return [
        f"INSERT INTO parent VALUES ({id_}, {place}, '{name or f'n{id_}'}', '{note}')",
        f"INSERT INTO child VALUES {details}",
    ]


def move(id_: int, place: int, *, note: str = "moved") -> list[str]:
    """A family goes to another place."""
    return [
        f"UPDATE parent SET place = {place}, note = '{note}' WHERE id = {id_}",
        f"UPDATE child SET place = {place}, note = '{note}' WHERE id = {id_}",
    ]


def remove(id_: int) -> list[str]:
    return [f"DELETE FROM child WHERE id = {id_}", f"DELETE FROM parent WHERE id = {id_}"]


def rekey(old: int, new: int) -> list[str]:
    """A family gets another key."""
    return [
        f"UPDATE parent SET id = {new} WHERE id = {old}",
        f"UPDATE child SET id = {new} WHERE id = {old}",
    ]


def contents(lab: Lab) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table on the shards, the ledgers' too."""
    found = {}
    for number in range(len(lab.shards)):
        for (table,) in lab.at(number, "SHOW TABLES"):
            found[f"{number} {table}"] = sorted(lab.at(number, f"SELECT * FROM `{table}`"), key=repr)
    return found


def kill_server(server: Server) -> None:
    """As a power cut would: no shutdown, connections just break."""
    if server.sandbox.container:
        subprocess.run(["docker", "kill", server.sandbox.container], check=True, timeout=60, stdout=subprocess.DEVNULL)
        return
    pid = server.sandbox.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    wait_until("the server is dead", lambda: not _alive(pid))
    with suppress(ChildProcessError):  # MySQL takes a process that nobody has waited for as alive
        os.waitpid(pid, 0)


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[0] not in "ZX"
    except OSError:
        return False


def log_head(server: Server) -> tuple[int, int]:
    """Where the server's log ends, as something that compares."""
    file, offset = server.log_end()
    return int(file.rpartition(".")[2]), offset
