"""Which fence does the environment name? One function for all kinds.

Runs in the driver; connects to nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from shardwright.runtime.cutover.fences.fence import Fence, FenceContext, FencedServer
from shardwright.runtime.cutover.fences.hook_fence import HookFence
from shardwright.runtime.cutover.fences.locked_accounts import LockedAccounts
from shardwright.runtime.cutover.fences.read_only_fence import ReadOnlyFence
from shardwright.runtime.cutover.fences.trigger_fence import TriggerFence
from shardwright.specs.environment.cutover import FenceSetting, HookSetting


def open_fence(setting: FenceSetting, servers: Sequence[FencedServer], *, context: FenceContext) -> Fence:
    """`servers`: all of the side. Items with the same address are one server."""
    each = by_address(servers)
    match setting.kind:
        case "triggers":
            return TriggerFence(each, context)
        case "read_only":
            return ReadOnlyFence(each, context)
        case "lock_accounts":
            return LockedAccounts(each, context, setting.accounts)
        case "hook":
            return HookFence(setting.hook or HookSetting(), context)


def by_address(servers: Sequence[FencedServer]) -> Sequence[FencedServer]:
    """Items with the same address as one, with the tables of all."""
    found: dict[str, FencedServer] = {}
    for server in servers:
        tables = dict(found[server.name].tables) if server.name in found else {}
        for database, names in server.tables.items():
            tables[database] = tuple(dict.fromkeys((*tables.get(database, ()), *names)))
        found[server.name] = FencedServer(server.endpoint, tables)
    return tuple(found.values())
