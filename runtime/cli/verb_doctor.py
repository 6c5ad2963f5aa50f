"""`doctor`: what does this machine lack for which verbs? Exit 0 when what was asked for is complete, 2 when it is not.

Runs in the process of the command; asks this machine only, no server and no project.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.cli.extras import GROUPS, Group, group_of
from shardwright.runtime.cli.help_form import VERBS_BY_USE
from shardwright.runtime.cli.machine_checks import MachineCheck, State, check_machine
from shardwright.specs.findings.text_table import text_table


def execute(arguments: argparse.Namespace) -> int:
    asked = _group_asked_for(arguments.asked)
    groups = list(Group) if arguments.asked is None else list(Group)[: list(Group).index(asked) + 1]
    checks = [check for check in check_machine() if check.group in groups]
    if arguments.format == "json":
        print(json.dumps(_data(asked, groups, checks), indent=2, ensure_ascii=False))
    else:
        print(_text(groups, checks))
    return Exit.DONE if _is_ready(asked, checks) else Exit.TOOL_FAILED


def _group_asked_for(word: str | None) -> Group:
    """The group of --for, which may name one of its verbs; without it compiling, which every machine is to do."""
    if word is None:
        return Group.COMPILE
    return Group(word) if word in list(Group) else group_of(word)


def _is_ready(group: Group, checks: Iterable[MachineCheck]) -> bool:
    order = list(Group)
    needed = order[: order.index(group) + 1]
    return not any(check.group in needed and check.state is State.MISSING for check in checks)


def _verbs(group: Group) -> list[str]:
    actions = [name for name in GROUPS if " " in name]
    return [name for name in (*VERBS_BY_USE, *actions) if group_of(*name.split()) is group]


def _data(asked: Group, groups: Sequence[Group], checks: Sequence[MachineCheck]) -> dict[str, Any]:
    return {
        "ready": _is_ready(asked, checks),
        "groups": [
            {"group": group.value, "ready": _is_ready(group, checks), "verbs": _verbs(group)} for group in groups
        ],
        "checks": [asdict(check) for check in checks],
    }


def _text(groups: Sequence[Group], checks: Sequence[MachineCheck]) -> str:
    rows = [(check.state.value, check.group.value, check.name, _words(check)) for check in checks]
    lines = [text_table(rows), ""]
    for group in groups:
        ready = "ready" if _is_ready(group, checks) else "not ready"
        lines.append(f"{group.value}: {ready} ({', '.join(_verbs(group))})")
    remedies = dict.fromkeys(check.do for check in checks if check.do)
    return "\n".join([*lines, *(f"do: {remedy}" for remedy in remedies)])


def _words(check: MachineCheck) -> str:
    return f"{check.code}: {check.found}" if check.code else check.found
