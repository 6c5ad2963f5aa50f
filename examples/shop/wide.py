"""What people do by hand between `shardwright rescale` and the next run: an administrator makes the new databases, and
somebody writes the environment file. Here for the servers of a sandbox, which hold the old shards.

    python wide.py --folder ~/.cache/shop-sandbox

The eight databases are on the two servers of the four: part_0 to part_3 on the first one, the others on the second.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import yaml

if __package__ in (None, ""):  # run as a program: its neighbours are beside it, not in a package
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from examples.shop.connection import Address
from examples.shop.layers import MORE_SHARDS

SHOP = Path(__file__).resolve().parent
ROWS = "SELECT, INSERT, UPDATE, DELETE"
TABLES_TOO = f"{ROWS}, CREATE, DROP, ALTER, INDEX, CREATE TEMPORARY TABLES, TRIGGER, LOCK TABLES"
NEW, BESIDE_OLD = r"part\_%", r"\_shardwright\_order\_db\_%"
GRANTS = (
    ("shardwright", TABLES_TOO, NEW),
    ("shardwright", TABLES_TOO, BESIDE_OLD),  # the way back keeps a ledger beside each old shard
    ("app", ROWS, NEW),
    ("app", "SELECT", BESIDE_OLD),  # the switch row
)
"""Account, privileges, databases. What the old shards themselves need, the sandbox has given: the first migration's way
back reads their logs, and its fence is a trigger on their tables."""


def make_databases(server: Address, databases: list[str]) -> None:
    with server.connect() as connection, connection.cursor() as cursor:
        for database in databases:
            cursor.execute(f"CREATE DATABASE IF NOT EXISTS {database}")
        for user, privileges, pattern in GRANTS:
            cursor.execute("SELECT host FROM mysql.user WHERE user = %s", (user,))
            for (host,) in cursor.fetchall():
                cursor.execute(f"GRANT {privileges} ON `{pattern}`.* TO '{user}'@'{host}'")


def environment(sandbox: dict[str, Any]) -> dict[str, Any]:
    """That of the next migration. `sandbox` is that of the first one: where its shards were, databases are read now."""
    servers, old = sandbox["servers"], sandbox["shards"]
    first, new = next(iter(servers)), MORE_SHARDS.shards.databases
    return {
        **sandbox,
        "environment": "wide",
        "source": {**servers[first], "password": dict(servers[first]["password"])},  # YAML would refer to one it knows
        "source_databases": {database: server for database, server in old.items() if server != first},
        "shards": {database: list(servers)[number * len(servers) // len(new)] for number, database in enumerate(new)},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Prepare a sandbox of the shop for more shards.")
    parser.add_argument("--folder", type=Path, required=True, help="the sandbox's folder")
    parser.add_argument("--project", type=Path, default=SHOP, help="the folder with the shop's environments")
    arguments = parser.parse_args()
    environments = arguments.project / "environments"
    wide = environment(yaml.safe_load((environments / "sandbox.yaml").read_text(encoding="utf-8")))
    for name, server in wide["servers"].items():
        administrator = arguments.folder / name / "admin.password"
        address = Address(server["host"], server["port"], "root", administrator, "mysql")
        make_databases(address, [database for database, holder in wide["shards"].items() if holder == name])
    text = "# Written by wide.py: the old shards are the source.\n" + yaml.safe_dump(wide, sort_keys=False)
    (environments / "wide.yaml").write_text(text, encoding="utf-8")
    print(f"environment: {environments / 'wide.yaml'}", flush=True)


if __name__ == "__main__":
    main()
