"""ShardingSphere-JDBC finds every row on shards that a run has filled, by the files that `router` makes."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from shardwright.compiler.router.shardingsphere import RULES
from tests.router.languages import RUNNERS
from tests.servers.jars import SHARDINGSPHERE, class_path
from tests.servers.testbed import Arena, Server
from tests.support.job import Job
from tests.workload.shop import PROJECT, fill_shop, shop_address

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.long]

Statement = tuple[str, Sequence[int | str]]


@pytest.fixture
def folder(arena: Arena, tmp_path: Path) -> Path:
    """The generated files with the addresses of filled shards, and their classes."""
    job = Job(arena, PROJECT, tmp_path)
    fill_shop(arena, orders=400)
    job.call("compile")
    job.run_until_caught_up()
    made = tmp_path / "shardingsphere"
    job.call("router", "--format", "shardingsphere", "--out", str(made))
    rules = made / RULES
    head, tail = rules.read_text("utf-8").split("\nrules:", 1)
    sources = yaml.safe_load(head)["dataSources"]
    for name, source in sources.items():
        source |= _account(arena.placement[name], name)
    rules.write_text(f"{yaml.safe_dump({'dataSources': sources})}\nrules:{tail}", "utf-8")
    shutil.copy(RUNNERS / "Shards.java", made)
    command = [
        "javac",
        "-nowarn",
        "-encoding",
        "UTF-8",
        "-cp",
        class_path(SHARDINGSPHERE),
        *map(str, made.glob("*.java")),
    ]
    subprocess.run(command, cwd=made, check=True, timeout=120)
    return made


def _account(server: Server, database: str) -> dict[str, Any]:
    address = shop_address(server)
    password = Path(address.password_file).read_text(encoding="utf-8").strip()
    url = f"jdbc:mariadb://{address.host}:{address.port}/{database}"
    return {"jdbcUrl": url, "username": address.user, "password": password, "maximumPoolSize": 2}


def _ask(folder: Path, statements: Sequence[Statement]) -> list[str]:
    lines = "".join("\t".join([sql, *map(_parameter, parameters)]) + "\n" for sql, parameters in statements)
    command = ["java", "-cp", f"{folder}:{class_path(SHARDINGSPHERE)}", "Shards", str(folder / RULES)]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False, timeout=300)
    answers = [line.removeprefix("answer ") for line in done.stdout.splitlines() if line.startswith("answer ")]
    assert done.returncode == 0 and len(answers) == len(statements), done.stdout[-4000:] + done.stderr[-4000:]
    return answers


def _parameter(value: int | str) -> str:
    return f"n{value}" if isinstance(value, int) else f"t{value}"


_JOIN = (
    "SELECT COUNT(*) FROM order_info o JOIN order_item i ON o.user_id = i.user_id AND o.order_id = i.order_id "
    "WHERE o.user_id = ?"
)


def _items(arena: Arena, user: int) -> int:
    """Of a user, at the source."""
    counts = (f"SELECT COUNT(*) FROM order_item_{number} WHERE user_id = {user}" for number in range(4))
    return sum(int(arena.source.query(count, database="shop")[0][0]) for count in counts)


def test_d15_every_row_of_the_shop_is_found(folder: Path, arena: Arena) -> None:
    users = arena.source.query("SELECT id, email FROM users ORDER BY id", database="shop")
    orders = arena.source.query("SELECT user_id, order_id, status FROM order_info ORDER BY order_id", database="shop")
    payments = arena.source.query("SELECT user_id, payment_no FROM payment ORDER BY payment_no", database="shop")
    regions = arena.source.query("SELECT code FROM region ORDER BY code", database="shop")
    statements: list[Statement] = [
        *(("SELECT email FROM users WHERE id = ?", [user]) for user, _ in users),
        *(("SELECT status FROM order_info WHERE user_id = ? AND order_id = ?", [u, o]) for u, o, _ in orders),
        *(("SELECT payment_no FROM payment WHERE user_id = ? AND payment_no = ?", [u, n]) for u, n in payments),
        *(("SELECT code FROM region WHERE code = ?", [code]) for (code,) in regions),
        *((_JOIN, [user]) for user, _ in users[:20]),
        ("SELECT COUNT(*) FROM users", []),
        ("SELECT COUNT(*) FROM order_item", []),
        ("SELECT id FROM users WHERE id IN (?, ?) ORDER BY id", [users[0][0], users[1][0]]),
    ]
    items = sum(arena.source.query(f"SELECT COUNT(*) FROM order_item_{n}", database="shop")[0][0] for n in range(4))
    assert _ask(folder, statements) == [
        *(f"{email};" for _, email in users),
        *(f"{status};" for _, _, status in orders),
        *(f"{number};" for _, number in payments),
        *(f"{code};" for (code,) in regions),
        *(f"{_items(arena, user)};" for user, _ in users[:20]),
        f"{len(users)};",
        f"{items};",
        f"{users[0][0]};{users[1][0]};",
    ]
