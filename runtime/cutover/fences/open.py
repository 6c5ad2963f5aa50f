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
    """`servers`: all of the side, each address once."""
    match setting.kind:
        case "triggers":
            return TriggerFence(servers, context)
        case "read_only":
            return ReadOnlyFence(servers, context)
        case "lock_accounts":
            return LockedAccounts(servers, context, setting.accounts)
        case "hook":
            return HookFence(setting.hook or HookSetting(), context)
