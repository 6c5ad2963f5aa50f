"""A MariaDB source with MySQL shards, and the other way round: values of every type which both have, by the copy and
by the stream (hazard B10). The oracle is what a plain client gets for HEX of every column.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from string import Template
from subprocess import Popen
from typing import Any

import pytest

from shardwright.runtime.rehearsal.sandbox.binary import CHOICE, ServerKind, find_server_binary
from shardwright.runtime.rehearsal.sandbox.lifecycle import remove_server, start_server
from tests.e2e.kinds import FAMILIES, Family, number_rows, write_schema
from tests.servers.fixtures import FAST
from tests.servers.testbed import Arena, Server
from tests.support.job import ENVIRONMENT, kill_tree
from tests.support.lab import SHARDS, SUFFIXES, Lab

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.long]

EXAMPLE = Path(__file__).with_name("two_kinds")
FETCHED = Path(
    os.environ.get("SHARDWRIGHT_MYSQL")
    or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "shardwright", "mysql"),
    "9.7",
    "mysqld",
)
"""Where tests/servers/fetch_server puts it."""
_KINDS: tuple[ServerKind, ...] = ("mariadb", "mysql")

_ONLY_COPIED = 1001
"""No event of the stream touches the rows from here on."""

Shown = dict[int, tuple[Any, ...]]


@pytest.fixture(scope="module")
def by_kind(servers_folder: Path) -> Iterator[dict[ServerKind, Server]]:
    """A server of each kind; skipped where one of the programs is missing."""
    made: dict[ServerKind, Server] = {}
    try:
        with pytest.MonkeyPatch.context() as patch:
            for program in (os.environ.get(CHOICE, "mysqld"), "mariadbd", str(FETCHED)):
                patch.setenv(CHOICE, program)
                found = find_server_binary()
                if found is not None and found.kind not in made:
                    started = start_server(
                        servers_folder / f"two-kinds-{found.kind}", server_id=71 + len(made), extra=FAST
                    )
                    made[found.kind] = Server(found.kind, started, extra=FAST)
        if missing := [kind for kind in _KINDS if kind not in made]:
            pytest.skip(f"no {missing[0]} here (tests/servers/fetch_server fetches MySQL)")
        yield made
    finally:
        for server in made.values():
            remove_server(server.sandbox)


@pytest.fixture(params=_KINDS, ids=("from_mariadb_to_mysql", "from_mysql_to_mariadb"))
def lab(request: pytest.FixtureRequest, by_kind: dict[ServerKind, Server], tmp_path: Path) -> Lab:
    """Its first server's kind is the source's."""
    source = by_kind[request.param]
    (target,) = (server for server in by_kind.values() if server is not source)
    for server in (source, target):
        server.make_empty()
        server.learn_md5()
    example = shutil.copytree(EXAMPLE, tmp_path / "example")
    spec = example / "specs" / "lab.yaml"
    spec.write_text(spec.read_text("utf-8").replace("mariadb", request.param), encoding="utf-8")
    write_schema(example / "schema" / "lab.sql")
    made = Lab(Arena(source, (target,), tmp_path), tmp_path, settings={"snapshot": {"chunk_rows": 4}}, example=example)
    made.create_source()
    return made


def test_b10_c1_c4_c5_c8_c10_c12_c14_c18_c19_c21_c23_values_of_every_type_are_byte_equal_on_the_other_kind_of_server(
    lab: Lab,
) -> None:
    _write(lab, 1)
    _write(lab, _ONLY_COPIED)
    lab.gates.hold("after-chunk-read")
    process = lab.start()
    try:
        lab.reach(process, "after-chunk-read")
        _write(lab, 101)  # by the stream, or by later chunks
        _change(lab, 1, turn=1)
        lab.gates.open_all()
        lab.until(process, "the snapshot is complete", lambda: lab.ledger_state().snapshot_done)
        lab.drain(process)
        _require_equal(lab)
        assert _count(lab) == 3 * sum(len(family.rows) for family in FAMILIES)

        _write(lab, 201)
        _change(lab, 101, turn=2)
        with lab.arena.source.connect("lab") as connection, connection.cursor() as cursor:
            for family in FAMILIES:
                cursor.execute(f"DELETE FROM {family.name} WHERE id < 100 AND id % 2 = 1")
        lab.drain(process)
        _require_equal(lab)
        reported = lab.job.call("verify", "--env", ENVIRONMENT)
        assert "DIFFERENT" not in reported, reported
        if lab.arena.source.sandbox.kind == "mysql":
            _loses_the_sign_of_zero(lab, process)
    finally:
        kill_tree(process)


def _loses_the_sign_of_zero(lab: Lab, process: Popen[bytes]) -> None:
    """The limit that docs/limits.md states: MariaDB reads no -0 from a text, and `verify` says so."""
    lab.write("INSERT INTO numbers (id, place, d) VALUES (9000, 0, -0e0)")
    lab.drain(process)
    assert [lab.arena.source.query("SELECT CONCAT(d) FROM lab.numbers WHERE id = 9000")] == [[("-0",)]]
    assert lab.at(0, "SELECT CONCAT(d) FROM numbers_0 WHERE id = 9000") == [("0",)]
    reported = lab.job.call("verify", "--env", ENVIRONMENT, expect=1)
    assert "source '-0', target '0'" in reported, reported


def _write(lab: Lab, first: int) -> None:
    _run_all(lab, lambda family: f"INSERT INTO {family.name} VALUES (%s, %s{', %s' * len(family.columns)})", first)


def _change(lab: Lab, first: int, *, turn: int) -> None:
    """Every row gets the values of another one and moves."""

    def update(family: Family) -> str:
        return f"REPLACE INTO {family.name} VALUES (%s, %s{', %s' * len(family.columns)})"

    _run_all(lab, update, first, turn=turn)


def _run_all(lab: Lab, statement: Any, first: int, *, turn: int = 0) -> None:
    with lab.arena.source.connect("lab") as connection, connection.cursor() as cursor:
        cursor.execute("SET SESSION sql_mode = '', time_zone = '+00:00'")
        for family in FAMILIES:
            for row in number_rows(family, first, turn=turn):
                cursor.execute(statement(family), row)


def _count(lab: Lab) -> int:
    return sum(len(_read(lab.arena.source, "lab", family, "")) for family in FAMILIES)


def _require_equal(lab: Lab) -> None:
    found = [difference for family in FAMILIES for difference in _differences(lab, family)]
    assert not found, "\n".join(found[:30])


def _differences(lab: Lab, family: Family) -> Iterator[str]:
    wanted = _read(lab.arena.source, "lab", family, "")
    left = set(wanted)
    for place in range(4):
        database, suffix = SHARDS[place % 2], SUFFIXES[place // 2]
        for id_, values in _read(lab.arena.placement[database], database, family, suffix).items():
            if id_ not in left or values[0] != place:
                yield f"{family.name} {id_} stands in {database}{suffix}"
            left.discard(id_)
            names = ("place", *family.columns)
            for name, ours, theirs in zip(names, values, wanted.get(id_, values), strict=True):
                if ours != theirs:
                    yield f"{family.name}.{name} {id_}: source {_short(theirs)}, shard {_short(ours)}"
    yield from (f"{family.name} {id_} is on no shard" for id_ in sorted(left))


def _short(value: object) -> str:
    return str(value)[:120]


def _read(server: Server, database: str, family: Family, suffix: str) -> Shown:
    with server.connect(database) as connection, connection.cursor() as cursor:
        cursor.execute("SET SESSION time_zone = '+00:00'")
        cursor.execute(Template(family.select).substitute(suffix=suffix))
        return {int(row[0]): tuple(row[1:]) for row in cursor.fetchall()}
