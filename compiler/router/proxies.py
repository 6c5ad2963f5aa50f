"""Which proxies can a migration's rules be written for? Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from shardwright.compiler.router.model import Router
from shardwright.compiler.router.proxysql import proxysql
from shardwright.compiler.router.shardingsphere import shardingsphere
from shardwright.compiler.router.vitess import vitess

PROXIES: Final[Mapping[str, Callable[[Router], Mapping[str, str]]]] = {
    "proxysql": proxysql,
    "shardingsphere": shardingsphere,
    "vitess": vitess,
}
"""By format: the files by name. Each raises NotRouted."""
