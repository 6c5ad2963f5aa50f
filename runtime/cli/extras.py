"""Which packages does a verb need that may not be installed, and which extra of ours brings them?

Runs in the process of the command; looks packages up without importing them. Writes nothing.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from enum import StrEnum
from importlib.util import find_spec
from typing import Final

from shardwright.runtime.failures import RuntimeFailure


class Group(StrEnum):
    """Verbs that need the same of a machine. The latter two are the names of extras, and each has what is before it."""

    COMPILE = "compile"
    MYSQL = "mysql"
    RUNTIME = "runtime"


PACKAGES: Final[Mapping[Group, Mapping[str, str]]] = {
    Group.COMPILE: {
        "yaml": "PyYAML",
        "jsonschema": "jsonschema",
        "sqlglot": "sqlglot",
        "shtab": "shtab",
        "wcwidth": "wcwidth",
    },
    Group.MYSQL: {
        "pymysql": "PyMySQL",
        "cryptography": "cryptography",
        "jinja2": "Jinja2",
        "rich": "rich",
        "tenacity": "tenacity",
        "prometheus_client": "prometheus-client",
    },
    Group.RUNTIME: {"pyspark": "pyspark", "pandas": "pandas", "pyarrow": "pyarrow", "numpy": "numpy"},
}
"""Module -> package, of what each group needs beyond the groups before it."""
_COMES_ALONG: Final = {"py4j": Group.RUNTIME, "cffi": Group.MYSQL, "markupsafe": Group.MYSQL}
"""Modules that a package of ours brings."""
GROUPS: Final[Mapping[str, Group]] = {
    **dict.fromkeys(
        ("import", "forecast", "preflight", "status", "exporter", "page", "control", "cutover status", "verify"),
        Group.MYSQL,
    ),
    **dict.fromkeys(("notify", "report", "ddl", "conflicts", "dead-letters", "sandbox"), Group.MYSQL),
    **dict.fromkeys(("test", "dry-run", "run", "repair", "cutover", "explain-row", "spark-cache"), Group.RUNTIME),
}
"""Verb, or verb and action -> what it needs; all others need the first group. A few options need more: `verify` with
invariants and `route --in spark` start Spark, `verify --recent` reads Arrow. They say so when they come to it."""
_FILES_FIRST: Final = frozenset({"test", "dry-run"})
"""What is wrong with the project's files these say also where Spark is not installed."""


def group_of(verb: str, action: str | None = None) -> Group:
    """What a verb needs, or one of its actions."""
    return GROUPS.get(f"{verb} {action}", GROUPS.get(verb, Group.COMPILE))


def modules_of(group: Group) -> Mapping[str, str]:
    """Module -> package, of everything that a group's verbs import."""
    order = list(Group)
    return {module: name for each in order[: order.index(group) + 1] for module, name in PACKAGES[each].items()}


def missing_packages(group: Group) -> list[str]:
    return [package for module, package in modules_of(group).items() if find_spec(module) is None]


def require_packages(arguments: argparse.Namespace) -> None:
    """Before a verb's modules are imported: a command that writes is not to find out half-way what it lacks. Raises
    RuntimeFailure (SW8059)."""
    group = group_of(arguments.verb, getattr(arguments, "action", None))
    if group is Group.COMPILE or arguments.verb in _FILES_FIRST:
        return
    if missing := missing_packages(group):
        raise package_failure(group, missing)


def failure_of_import(error: ModuleNotFoundError) -> RuntimeFailure | None:
    """The failure for a package of ours (SW8059). None for any other module: then it is a bug."""
    module = (error.name or "").partition(".")[0]
    if module in _COMES_ALONG:
        return package_failure(_COMES_ALONG[module], [module])
    found = next((group for group, packages in PACKAGES.items() if module in packages), None)
    return None if found is None else package_failure(found, missing_packages(found) or [module])


def package_failure(group: Group, missing: list[str]) -> RuntimeFailure:
    """SW8059 for packages that are not installed."""
    are = "is" if len(missing) == 1 else "are"
    return RuntimeFailure(
        "SW8059", f"this command needs {', '.join(missing)}, which {are} not installed: {install_command(group)}"
    )


def install_command(group: Group) -> str:
    """The command for the environment of this Python. It takes our own package as it is installed, and asks no index
    for it."""
    return "pip install shardwright" if group is Group.COMPILE else f'pip install "shardwright[{group}]"'
