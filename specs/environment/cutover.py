"""The environment's `cutover` section as typed model: how users' writes are stopped, and for how long a cutover may
take. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

FenceKind = Literal["triggers", "read_only", "lock_accounts", "hook"]
"""What stops users' writes: docs/how-to/choose-a-fence.md."""


@dataclass(frozen=True, slots=True)
class HookSetting:
    """A program or an address that is called. Exactly one of `command` (the program and its arguments) and `url` is
    set."""

    command: tuple[str, ...] = ()
    url: str | None = None
    timeout_seconds: float = 10.0
    folder: str = "."
    """The project's, which a path to a program is relative to, and in which the program starts."""


@dataclass(frozen=True, slots=True)
class FenceSetting:
    """`accounts` (as user@host) belong to `lock_accounts`, `hook` to the kind `hook`."""

    kind: FenceKind
    accounts: tuple[str, ...] = ()
    hook: HookSetting | None = None


@dataclass(frozen=True, slots=True)
class FenceSettings:
    """What stops users' writes on the servers of each side. A rollback uses the one of the shards."""

    source: FenceSetting | None = None
    shards: FenceSetting | None = None


@dataclass(frozen=True, slots=True)
class CutoverHooks:
    """What is called when the switch has been made."""

    switched: HookSetting | None = None


@dataclass(frozen=True, slots=True)
class CutoverSettings:
    """The limits of a cutover. The stream may be `max_lag_seconds` behind, and the last whole `verify`
    `verified_within_seconds` old. Users' transactions that are open after `drain_timeout_seconds` are killed. Users may
    be stopped for `max_pause_seconds`."""

    fence: FenceSettings = field(default_factory=FenceSettings)
    max_lag_seconds: float = 5.0
    verified_within_seconds: float = 24 * 3600.0
    drain_timeout_seconds: float = 10.0
    max_pause_seconds: float = 30.0
    hooks: CutoverHooks = field(default_factory=CutoverHooks)

    def within(self, folder: str) -> CutoverSettings:
        """The same with hooks of the project in that folder."""
        source, shards = (_fence_within(each, folder) for each in (self.fence.source, self.fence.shards))
        hooks = CutoverHooks(_hook_within(self.hooks.switched, folder))
        return replace(self, fence=FenceSettings(source, shards), hooks=hooks)


def _fence_within(fence: FenceSetting | None, folder: str) -> FenceSetting | None:
    return fence and replace(fence, hook=_hook_within(fence.hook, folder))


def _hook_within(hook: HookSetting | None, folder: str) -> HookSetting | None:
    return hook and replace(hook, folder=folder)
