"""How the shop's own programs reach their database."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import pymysql
from pymysql.connections import Connection
from pymysql.cursors import Cursor


@dataclass(frozen=True, slots=True)
class Address:
    """Where the shop's database stands and who logs in; the password is in a file."""

    host: str
    port: int
    user: str
    password_file: Path
    database: str = "shop"

    def connect(self, *, timeout: float | None = None) -> Connection[Cursor]:
        """A connection whose transactions are ended by hand, in UTC. `timeout` is for the answer to one statement."""
        return pymysql.connect(
            host=self.host,
            port=self.port,
            user=self.user,
            password=self.password_file.read_text(encoding="utf-8"),
            database=self.database,
            charset="utf8mb4",
            autocommit=False,
            init_command="SET time_zone = '+00:00'",
            read_timeout=timeout,
            write_timeout=timeout,
        )


def add_address(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--user", default="app")
    parser.add_argument("--password-file", type=Path, required=True)
    parser.add_argument("--database", default="shop")


def address_from(arguments: argparse.Namespace) -> Address:
    return Address(arguments.host, arguments.port, arguments.user, arguments.password_file, arguments.database)
