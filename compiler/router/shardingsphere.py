"""Which files make ShardingSphere-JDBC 5.5 place rows as the plan does? Pure.

No algorithm of its own is used: `ShardRouter.java` answers, through two classes that ShardingSphere calls. A statement
without all key columns goes to every place. The logical table's name has to be the one of the spec.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import yaml

from shardwright.compiler.router.language import read_sections
from shardwright.compiler.router.library import library
from shardwright.compiler.router.model import RoutedTable, Router
from shardwright.compiler.router.refusal import NotRouted, require_own_key

RULES = "shardingsphere.yaml"
_PARTS = {"Database": "database", "Table": "table"}


def shardingsphere(router: Router) -> Mapping[str, str]:
    """The files by name. Raises NotRouted."""
    for table in router.tables:
        require_own_key(table, "ShardingSphere")
    frame = read_sections("shardingsphere").helpers["database"]
    classes = {
        f"ShardRouter{part}.java": frame.replace("@PART@", part).replace("@PART_METHOD@", method)
        for part, method in _PARTS.items()
    }
    text = yaml.safe_dump_all([_rules(router)], sort_keys=False, allow_unicode=True, width=120)
    for name in ("SHARDING", "BROADCAST", "SINGLE"):
        text = text.replace(f"- rule: {name}\n  ", f"- !{name}\n  ")
    head = "# Made by `shardwright router`: put the address and the account of each database in its place.\n"
    return {RULES: head + text, "ShardRouter.java": library(router, "java"), **classes}


def _rules(router: Router) -> dict[str, object]:
    sharded = [table for table in router.tables if table.function is not None]
    copied = [table for table in router.tables if table.function is None and table.copies]
    single = [table for table in router.tables if table.function is None and not table.copies]
    rules: list[object] = []
    if sharded:
        together = _find_together(sharded)
        rules.append(
            {
                "rule": "SHARDING",
                "tables": {table.logical: _nodes_and_strategies(router, table) for table in sharded},
                **({"bindingTables": together} if together else {}),
                "shardingAlgorithms": dict(pair for table in sharded for pair in _algorithms(table).items()),
            }
        )
    if copied:
        rules.append({"rule": "BROADCAST", "tables": [_only_name(table) for table in copied]})
    if single:
        names = [f"{router.databases[table.databases[0]]}.{_only_name(table)}" for table in single]
        rules.append({"rule": "SINGLE", "tables": names})
    return {"dataSources": {name: _source(name) for name in router.databases}, "rules": rules}


def _find_together(tables: Sequence[RoutedTable]) -> list[str]:
    """Tables whose rows of one key are in one place: joins of these need no other pairs of physical tables."""
    groups: dict[tuple[int, tuple[tuple[str, str], ...]], list[str]] = {}
    for table in tables:
        groups.setdefault((id(table.function), table.key), []).append(table.logical)
    return [",".join(names) for names in groups.values() if len(names) > 1]


def _only_name(table: RoutedTable) -> str:
    if table.names != (table.logical,):
        message = f"ShardingSphere knows '{table.logical}' by no other name than its own, and by one"
        raise NotRouted("SW5302", table.logical, message)
    return table.logical


def _source(name: str) -> dict[str, str]:
    return {
        "dataSourceClassName": "com.zaxxer.hikari.HikariDataSource",
        "jdbcUrl": f"jdbc:mysql://ADDRESS/{name}",
        "username": "ACCOUNT",
        "password": "PASSWORD",
    }


def _nodes_and_strategies(router: Router, table: RoutedTable) -> dict[str, object]:
    nodes = ",".join(f"{router.databases[index]}.{name}" for index in table.databases for name in table.names)
    columns = _columns(table)
    strategies = {
        f"{part}Strategy": {"complex": {"shardingColumns": columns, "shardingAlgorithmName": _name(part, columns)}}
        for part in _PARTS.values()
    }
    return {"actualDataNodes": nodes, **strategies}


def _columns(table: RoutedTable) -> str:
    return ",".join(name for _, name in table.key)


def _name(part: str, columns: str) -> str:
    return f"{part}_by_{columns.replace(',', '_')}"


def _algorithms(table: RoutedTable) -> dict[str, object]:
    columns = _columns(table)
    return {
        _name(part, columns): {
            "type": "CLASS_BASED",
            "props": {
                "strategy": "COMPLEX",
                "algorithmClassName": f"ShardRouter{name}",
                "sharding-columns": columns,
            },
        }
        for name, part in _PARTS.items()
    }
