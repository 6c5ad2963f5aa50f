"""The fence `hook`: a program or an address of the team stops users' writes, by a flag of the application, say.

Runs in the driver; calls what the environment names.

The hook is called with an action: `set`, `lift` or `check`. `set` may return only when no transaction is open any more
that writes: we do not look. The answer to `check` is the word `set` or `lifted`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

from shardwright.runtime.cutover.fences.fence import FAILED, FenceContext, Undo, item_of
from shardwright.runtime.cutover.hooks import call_hook
from shardwright.runtime.failures import Refused, RuntimeFailure
from shardwright.runtime.mysql.check import Check, Verdict
from shardwright.specs.environment.cutover import FenceKind, HookSetting

_SERVER: Final = "hook"
"""What the record calls it: it is one for all servers."""
_ANSWERS: Final = {"set": True, "lifted": False}


@dataclass(frozen=True)
class HookFence:
    """See `Fence`."""

    hook: HookSetting
    context: FenceContext
    kind: FenceKind = "hook"

    def checks(self) -> list[Check]:
        try:
            found = "set" if self._is_set() else "lifted"
        except RuntimeFailure as failure:
            return [Check("fence", _SERVER, Verdict.REFUSED, failure.message, code=failure.code)]
        return [Check("fence", _SERVER, Verdict.OK, f"the hook answers: {found}")]

    def before(self) -> list[dict[str, Any]]:
        return [{"server": _SERVER, "kind": self.kind, "set": self._is_set()}]

    def set(self, undo: Undo, *, drain_timeout: float) -> None:
        item_of(undo, self.kind, _SERVER)
        self._change("set", wanted=True)

    def in_force(self, undo: Undo) -> dict[str, bool]:
        return {_SERVER: self._is_set()}

    def lift(self, undo: Undo) -> None:
        if not item_of(undo, self.kind, _SERVER)["set"]:
            self._change("lift", wanted=False)

    def _change(self, action: str, *, wanted: bool) -> None:
        self._call(action)
        if self._is_set() is not wanted:
            raise Refused(FAILED, f"the hook was called with action '{action}', and its check says that it is not so")

    def _is_set(self) -> bool:
        answer = self._call("check").strip()
        if answer not in _ANSWERS:
            shown = answer[:60] or "nothing"
            raise Refused(FAILED, f"the hook answers 'check' with {shown!r}: it must be the word set or lifted")
        return _ANSWERS[answer]

    def _call(self, action: str) -> str:
        return call_hook(self.hook, {**asdict(self.context), "action": action})
