"""Columns of MariaDB's UUID, INET4 and INET6 and of MySQL's VECTOR, copied and streamed: in keys, as shard keys, in a
family, in a row filter. The shards hold the same bytes; `verify` names a changed row and `repair` mends it (hazard C30).
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator
from ipaddress import IPv6Address
from pathlib import Path

import pytest

from shardwright.runtime.mysql.servers import mariadb_version
from tests.servers.testbed import Arena
from tests.support.case import SHARDS, SUFFIXES, Case
from tests.support.job import ENVIRONMENT, SMALL_SPARK

pytestmark = [pytest.mark.server, pytest.mark.spark]

UNWANTED = "018F4567-E89B-72D3-A456-426655440000"
SETUP = (
    "CREATE TABLE account (id UUID PRIMARY KEY, ip INET6 NOT NULL UNIQUE, at INET4 DEFAULT '10.0.0.1')",
    "CREATE TABLE device (id UUID, ip INET6, at INET4, PRIMARY KEY (id, ip))",
    "CREATE TABLE visit (id INT PRIMARY KEY, account UUID NOT NULL, ip INET6, other UUID, KEY (account))",
    "CREATE TABLE route (id UUID, ip INET6, at INET4 NOT NULL, token UUID NOT NULL, PRIMARY KEY (ip, id), UNIQUE (at))",
)
TABLES = """
tables:
  - {table: account, sharding: by_id}
  - {table: device, sharding: by_id}
  - {table: visit, sharding: {rule: by_id, shard_key: {parent: account, via: [account]}}}
  - table: route
    sharding: by_id
    where: id <> '018F4567E89B72D3A456426655440000' AND ip NOT IN ('2001:DB8:0::1')
    write: changed
    columns: {cast: {token: {type: varchar(40) character set ascii collate ascii_bin}}}
"""
CHUNKS = {**SMALL_SPARK, "snapshot": {"chunk_rows": 7}}


def keys(dice: random.Random) -> Iterator[str]:
    """UUIDs of all versions: MariaDB orders those of 1 to 5 by their ends, the others by their beginnings."""
    while True:
        digits = list(f"{dice.getrandbits(128):032x}")
        digits[12], digits[16] = dice.choice("0123456789abcdef"), dice.choice("9ab")
        if dice.random() < 0.3:
            digits[20:] = "0" * 12
        yield str(uuid.UUID("".join(digits)))


def address(dice: random.Random, number: int) -> str:
    start = dice.choice((0, 0xFFFF << 32, 0x20010DB8 << 96, dice.getrandbits(64) << 64))
    return str(IPv6Address(start | number))


def accounts(made: list[str], first: int, dice: random.Random) -> list[str]:
    return [
        f"INSERT INTO account VALUES ('{key}', '{address(dice, first + n)}', {dice.choice(('NULL', 'DEFAULT'))})"
        for n, key in enumerate(made)
    ]


def visits(made: list[str], first: int, dice: random.Random) -> list[str]:
    return [
        f"INSERT INTO visit VALUES ({first + n}, '{dice.choice(made).upper()}', '{address(dice, n)}', NULL)"
        for n in range(2 * len(made))
    ]


def routes(made: list[str], first: int, dice: random.Random) -> list[str]:
    return [
        f"INSERT INTO route VALUES ('{key}', '{address(dice, n % 5)}', '10.0.{first // 256}.{first % 256 + n}', '{key}')"
        for n, key in enumerate(made)
    ]


@pytest.mark.in_turn
def test_c30_addresses_are_copied_followed_compared_and_repaired(arena: Arena, tmp_path: Path) -> None:
    with arena.source.connect() as connection:
        version = mariadb_version(connection)
    if version is None or version < (10, 10):
        pytest.skip("MariaDB only: UUID, INET4, INET6, from 10.10 on")
    dice = random.Random(30)
    stock = keys(dice)
    old, new = [next(stock) for _ in range(40)], [next(stock) for _ in range(20)]
    devices = [f"INSERT INTO device VALUES ('{key}', '{address(dice, n)}', NULL)" for n, key in enumerate((*old, *new))]
    unwanted = (
        f"INSERT INTO route VALUES ('{UNWANTED}', '::', '1.1.1.1', UUID()), (UUID(), '2001:db8::1', '1.1.1.2', UUID())"
    )
    setup = (
        *SETUP,
        *accounts(old, 1, dice),
        *visits(old, 1, dice),
        *routes(old, 1, dice),
        *devices[: len(old)],
        unwanted,
    )
    case = Case(arena, tmp_path, TABLES, setup=setup, settings=CHUNKS)
    case.plan()
    case.run()
    require_equal(case)

    case.write(
        *accounts(new, 1000, dice),
        *visits(new, 1000, dice),
        *routes(new, 1000, dice),
        *devices[len(old) :],
        f"UPDATE device SET at = '0.0.0.1', ip = '::1.2.3.4' WHERE id = '{old[8]}'",
        f"UPDATE visit SET account = '{new[0]}', other = account WHERE account = '{old[0]}'",
        f"UPDATE account SET id = '{next(stock)}' WHERE id = '{old[1]}'",
        f"UPDATE account SET ip = '::ffff:9.9.9.9', at = '255.0.0.0' WHERE id = '{old[2]}'",
        f"DELETE FROM account WHERE id = '{old[3]}'",
        f"DELETE FROM route WHERE id IN ('{old[4]}', '{new[4]}')",
        f"UPDATE route SET ip = '::' WHERE id = '{old[5]}'",
        f"UPDATE route SET at = '250.0.0.9' WHERE id = '{old[6]}'",
        f"UPDATE route SET id = '{UNWANTED}', ip = '::7' WHERE id = '{old[7]}'",
    )
    case.run()
    require_equal(case)

    _change_on_a_shard(case, "device", f"SET at = '10.10.10.10' WHERE id = '{new[5]}'")
    _change_on_a_shard(case, "device", f"SET ip = '::8' WHERE id = '{new[6]}'")
    result = tmp_path / "result.json"
    reported = case.verify("--report", f"json={result}", code=1, saying="DIFFERENT")
    assert new[5] in reported.out and new[6] in reported.out
    case.call("repair", str(result), "--env", ENVIRONMENT, "--run", "--delete-extra")
    require_equal(case)
    written = f"id={new[5].replace('-', '').upper()}"
    reported = case.call(
        "route", "--table", "account", "--key", written, "--in", "spark", "--in", "mysql", "--env", ENVIRONMENT
    )
    assert f"id={new[5]}" in reported.out


def require_equal(case: Case) -> None:
    case.require_equal("account")
    case.require_equal("device")
    case.require_equal("visit", key=None)
    wanted = [row for row in case.source.query("SELECT * FROM route", database="shop")
              if row[0] != UNWANTED.lower() and row[1] != "2001:db8::1"]  # fmt: skip
    assert sorted(row for _, _, row in case.shard_rows("route")) == sorted(wanted)
    case.verify(saying="equal")


def _change_on_a_shard(case: Case, table: str, change: str) -> None:
    changed = 0
    for database in SHARDS:
        with case.arena.shard(database) as connection, connection.cursor() as cursor:
            for suffix in SUFFIXES:
                changed += cursor.execute(f"UPDATE {table}{suffix} {change}")
            connection.commit()
    assert changed == 1


def test_c30_vectors_are_copied_followed_compared_and_repaired(arena: Arena, tmp_path: Path) -> None:
    if arena.source.sandbox.kind != "mysql":
        pytest.skip("MySQL only: VECTOR")
    tables = """
tables:
  - {table: place, sharding: by_id}
  - {table: note, sharding: by_id, write: changed, columns: {cast: {v: {type: varbinary(400)}}}}
"""
    case = Case(
        arena,
        tmp_path,
        tables,
        setup=(
            "CREATE TABLE place (id INT PRIMARY KEY, v VECTOR(3) NOT NULL, w VECTOR, name VARCHAR(20) UNIQUE)",
            "CREATE TABLE note (id INT PRIMARY KEY, v VECTOR(5), n INT)",
            "INSERT INTO place VALUES (1, STRING_TO_VECTOR('[1,2,3]'), NULL, 'a'), "
            "(2, x'FFFF7F7F00000080', STRING_TO_VECTOR(CONCAT('[', REPEAT('0.1,', 2047), '-1e-30]')), NULL)",
            "INSERT INTO note VALUES (1, STRING_TO_VECTOR('[1,2,3,4,5]'), 1), (2, NULL, 2)",
        ),
    )
    shown = "id, HEX(v), HEX(w), name"
    case.plan()
    case.run()
    case.require_equal("place", shown)
    case.write(
        "INSERT INTO place VALUES (3, STRING_TO_VECTOR('[0.5]'), STRING_TO_VECTOR('[7]'), 'c')",
        "UPDATE place SET w = v, name = 'b' WHERE id = 2",
        "UPDATE place SET id = 9, v = STRING_TO_VECTOR('[3,2,1]') WHERE id = 1",
        "UPDATE note SET n = n + 1",
        "UPDATE note SET v = STRING_TO_VECTOR('[1]') WHERE id = 2",
    )
    case.run()
    case.require_equal("place", shown)
    case.require_equal("note", "id, HEX(v), n")
    case.verify(saying="equal")
    _change_on_a_shard(case, "place", "SET v = STRING_TO_VECTOR('[3,2,0]') WHERE id = 9")
    result = tmp_path / "result.json"
    case.verify("--report", f"json={result}", code=1, saying="DIFFERENT")
    case.call("repair", str(result), "--env", ENVIRONMENT, "--run", "--delete-extra")
    case.verify(saying="equal")
    case.require_equal("place", shown)
