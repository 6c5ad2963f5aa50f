"""A running migration beside fences: its stream passes what they leave in the logs, and it writes fenced tables, in both
directions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pymysql
import pytest

from shardwright.runtime.cli.connecting import Deployment
from shardwright.runtime.cutover.fences.fence import FenceContext, FencedServer
from shardwright.runtime.cutover.fences.open import open_fence
from shardwright.runtime.mysql.check import Verdict, has_refusal
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.grants import ROWS, grant, quote_account
from shardwright.runtime.mysql.servers import connect
from shardwright.runtime.rehearsal.sandbox.accounts import APPLICATION_USER, RUNTIME_USER, allow_cutover
from shardwright.runtime.run.preflight.preflight import checks
from shardwright.runtime.run.preflight.tolerance import Tolerance
from shardwright.specs.direction import Side
from shardwright.specs.environment.cutover import FenceKind, FenceSetting
from tests.servers.testbed import Arena, Server
from tests.support.job import kill_tree
from tests.support.lab import SUFFIXES, Lab, new_family, remove
from tests.support.way_back_lab import BackLab

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.long]

KINDS: tuple[FenceKind, ...] = ("triggers", "read_only", "lock_accounts")


class Fenced:
    """The fences of both sides of a lab."""

    def __init__(self, lab: BackLab) -> None:
        self.lab = lab
        forward = lab.deploy().servers
        (source,) = forward.sources.values()
        shards: dict[Endpoint, dict[str, tuple[str, ...]]] = {}
        for endpoint, database in zip(forward.shards, forward.databases, strict=True):
            names = tuple(f"{table}{suffix}" for table in ("parent", "child") for suffix in SUFFIXES)
            shards.setdefault(endpoint, {})[database] = names
        self.sides: Mapping[Side, list[FencedServer]] = {
            "source": [FencedServer(source, {"lab": ("parent", "child")})],
            "shards": [FencedServer(endpoint, tables) for endpoint, tables in shards.items()],
        }
        for fenced in (server for side in self.sides.values() for server in side):
            server = self._server(fenced)
            account = quote_account(f"{RUNTIME_USER}@{server.sandbox.account_host}")
            for kind in KINDS:
                allow_cutover(server.sandbox, list(fenced.tables), kind)
            for database in fenced.tables:
                server.query(grant(ROWS, database, account))

    @contextmanager
    def stop_writes(self, side: Side, kind: FenceKind) -> Iterator[None]:
        """Within, the side takes no writes of users."""
        accounts = (f"{APPLICATION_USER}@{self.lab.arena.source.sandbox.account_host}",)
        if kind == "lock_accounts" and side == "shards":
            for fenced in self.sides[side]:  # an account that the arena does not make there
                name = (APPLICATION_USER, self._server(fenced).sandbox.account_host)
                self._server(fenced).query("CREATE USER IF NOT EXISTS %s@%s IDENTIFIED BY 'x'", name)
        setting = FenceSetting(kind, accounts if kind == "lock_accounts" else ())
        fence = open_fence(setting, self.sides[side], context=FenceContext("lab", 1, side))
        assert not has_refusal(fence.checks()), fence.checks()
        undo = fence.before()
        fence.set(undo, drain_timeout=10.0)
        assert all(fence.in_force(undo).values())
        if kind != "lock_accounts":
            self._refuses(side)
        yield
        fence.lift(undo)

    def write(self, side: Side, place: int, statements: Sequence[str]) -> None:
        """One transaction of our own account."""
        database = "lab" if side == "source" else self.lab.shards[place % 2]
        (fenced,) = (each for each in self.sides[side] if database in each.tables)
        with closing(connect(fenced.endpoint, database)) as connection, connection.cursor() as cursor:
            connection.begin()
            for statement in statements:
                cursor.execute(statement)
            connection.commit()

    def _refuses(self, side: Side) -> None:
        """Another account with all rights on the tables writes nothing."""
        for fenced in self.sides[side]:
            server = self._server(fenced)
            account = ("visitor", server.sandbox.account_host)
            server.query("CREATE USER %s@%s IDENTIFIED BY 'x'", account)
            try:
                for database, tables in fenced.tables.items():
                    server.query(f"GRANT ALL PRIVILEGES ON `{database}`.* TO %s@%s", account)
                    with server.connect(database, user="visitor", password="x") as connection:
                        for table in tables:
                            names = "id, place, line" if table.startswith("child") else "id, place, note"
                            with pytest.raises(pymysql.err.MySQLError) as caught, connection.cursor() as cursor:
                                cursor.execute(f"INSERT INTO {table} ({names}) VALUES (999, 0, 0)")
                            assert caught.value.args[0] in (1290, 1644)
            finally:
                server.query("DROP USER %s@%s", account)

    def _server(self, fenced: FencedServer) -> Server:
        arena = self.lab.arena
        (found,) = (each for each in (arena.source, *arena.targets) if each.port == fenced.endpoint.port)
        return found


@pytest.fixture
def lab(arena: Arena, tmp_path: Path) -> BackLab:
    made = BackLab(arena, tmp_path)
    made.create_source()
    made.fill({place + 1: place for place in range(4)})
    made.finish()
    return made


def test_forward_the_source_is_fenced_and_freed_and_the_shards_are_fenced(lab: BackLab) -> None:
    fenced = Fenced(lab)
    run = lab.start(gated=False)
    try:
        Lab.drain(lab, run)
        for number, kind in enumerate(KINDS, start=1):
            with fenced.stop_writes("source", kind):
                fenced.write("source", 0, new_family(100 * number, number))
                Lab.drain(lab, run)
                assert lab.places(100 * number) == [number]
            lab.write(*new_family(100 * number + 1, number), *remove(number))
            Lab.drain(lab, run)
            lab.require_equal()
    finally:
        kill_tree(run)
    # As after a rollback: the shards stay fenced while the stream writes them. A run begins beside the fence, too.
    for number, kind in enumerate(KINDS[:2], start=5):
        with fenced.stop_writes("shards", kind):
            lab.write(*new_family(100 * number, number % 4), *remove(100 * (number - 4)))
            lab.write(f"UPDATE parent SET place = {(number + 1) % 4} WHERE id = {100 * number}",
                      f"UPDATE child SET place = {(number + 1) % 4} WHERE id = {100 * number}")  # fmt: skip
            _preflight_sees_no_triggers(lab.deploy())
            lab.finish()
            lab.require_equal()


def test_backward_the_shards_are_fenced_and_freed_and_the_source_is_fenced(lab: BackLab) -> None:
    lab.turn()
    fenced = Fenced(lab)
    # As after a cutover: the source stays fenced while the stream writes it.
    for number, kind in enumerate(KINDS[:2], start=1):
        with fenced.stop_writes("source", kind):
            lab.insert(100 * number, number, note="born on the shards")
            lab.on(0, "UPDATE parent_0 SET note = 'changed' WHERE id = 1")
            _preflight_sees_no_triggers(lab.deploy().reverse_deployment())
            lab.finish()
            lab.require_equal()
    run = lab.start(gated=False)
    try:
        lab.drain(run)
        for number, kind in enumerate(KINDS, start=3):
            place = number % 4
            with fenced.stop_writes("shards", kind):
                fenced.write("shards", place, [
                    f"INSERT INTO parent{SUFFIXES[place // 2]} (id, place, name, note) VALUES ({100 * number}, {place}, 'f{number}', '')"
                ])  # fmt: skip
                lab.drain(run)
                assert lab.source(f"SELECT place FROM parent WHERE id = {100 * number}") == [(place,)]
            lab.insert(100 * number + 1, place)
            lab.drain(run)
            lab.require_equal()
    finally:
        kill_tree(run)


def _preflight_sees_no_triggers(way: Deployment) -> None:
    found = [check.verdict for check in checks(way.plan, way.servers, Tolerance.NONE) if check.name == "triggers"]
    assert found and set(found) == {Verdict.OK}
