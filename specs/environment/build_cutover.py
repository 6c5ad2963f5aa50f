"""The environment's `cutover` section: from the parsed document to the typed model. Total, like `build_stream`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from shardwright.specs.environment.addresses import check_address, host_in_clear_text
from shardwright.specs.environment.cutover import (
    CutoverHooks,
    CutoverSettings,
    FenceSetting,
    FenceSettings,
    HookSetting,
)
from shardwright.specs.findings.diagnostics import Findings, Path
from shardwright.specs.yaml.document import duration, mapping, text, texts
from shardwright.specs.yaml.source import YamlSource

_OF_A_SECRET: Final = "call a program that reads the secret: command: [...]"


def build_cutover(source: YamlSource, findings: Findings) -> CutoverSettings:
    """Reports secrets in addresses (SW7002), whose words the finding does not repeat."""
    node, defaults = mapping(source.data, "cutover"), CutoverSettings()
    for path in _hooks(node):
        address = text(mapping(source.data, *map(str, path[:-1])), "url") or ""
        check_address(address, path, hint=_OF_A_SECRET, source=source, findings=findings)
        if path[-2] == "hook":
            _check_protection(path, address, source=source, findings=findings)
    fence = mapping(node, "fence")
    return CutoverSettings(
        fence=FenceSettings(_fence(fence, "source"), _fence(fence, "shards")),
        max_lag_seconds=duration(node, "max_lag", defaults.max_lag_seconds),
        verified_within_seconds=duration(node, "verified_within", defaults.verified_within_seconds),
        drain_timeout_seconds=duration(node, "drain_timeout", defaults.drain_timeout_seconds),
        max_pause_seconds=duration(node, "max_pause", defaults.max_pause_seconds),
        hooks=CutoverHooks(_hook(mapping(node, "hooks"), "switched")),
    )


def _fence(node: Mapping[str, object], side: str) -> FenceSetting | None:
    match node.get(side):
        case "triggers":
            return FenceSetting("triggers")
        case "read_only":
            return FenceSetting("read_only")
        case {"lock_accounts": _}:
            return FenceSetting("lock_accounts", accounts=texts(mapping(node, side), "lock_accounts") or ())
        case {"hook": _}:
            return FenceSetting("hook", hook=_hook(mapping(node, side), "hook") or HookSetting())
        case _:
            return None


def _hook(node: Mapping[str, object], key: str) -> HookSetting | None:
    if key not in node:
        return None
    hook = mapping(node, key)
    return HookSetting(
        texts(hook, "command") or (),
        text(hook, "url"),
        duration(hook, "timeout", HookSetting().timeout_seconds),
    )


def _hooks(node: Mapping[str, object]) -> Iterator[Path]:
    """The places of all hooks that have an address."""
    fences = (("fence", side, "hook") for side in ("source", "shards"))
    for place in (*fences, ("hooks", "switched")):
        if text(mapping(node, *place), "url") is not None:
            yield ("cutover", *place, "url")


def _check_protection(path: Path, address: str, *, source: YamlSource, findings: Findings) -> None:
    """The answer of a fence's hook says whether writers are stopped: anybody on the network path could forge it."""
    host = host_in_clear_text(address)
    if host is not None:
        message = f"the answer of {host} says whether writers are stopped, and http does not prove whose it is"
        hint = "write https://, or call a program: command: [...]"
        findings.error("SW7020", message, source.span_of(path), hint=hint)
