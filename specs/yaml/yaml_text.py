"""YAML as a person would write it: blocks for what holds mappings, one line for everything else. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import yaml

_WIDTH = 100


def block(values: Mapping[str, object], *, indent: int = 0) -> list[str]:
    """The lines of a mapping, in its order."""
    lines = []
    for key, value in values.items():
        lines += _entry(flow(key), value, indent)
    return lines


def items(values: Sequence[Mapping[str, object]], *, indent: int = 0) -> list[list[str]]:
    """The lines of each mapping of a list."""
    return [_with_dash(block(value, indent=indent + 2), indent) for value in values]


def flow(value: object) -> str:
    """The value on one line."""
    text = yaml.safe_dump(value, default_flow_style=True, width=1_000_000, allow_unicode=True, sort_keys=False)
    return text.removesuffix("\n").removesuffix("\n...")


def _entry(key: str, value: object, indent: int) -> list[str]:
    line = f"{' ' * indent}{key}: {flow(value)}"
    if isinstance(value, Mapping) and value and (_holds_mappings(value) or len(line) > _WIDTH):
        return [f"{' ' * indent}{key}:", *block(value, indent=indent + 2)]
    if isinstance(value, list) and value and (all(isinstance(each, Mapping) for each in value) or len(line) > _WIDTH):
        return [f"{' ' * indent}{key}:", *(f"{' ' * (indent + 2)}- {flow(each)}" for each in value)]
    return [line]


def _holds_mappings(value: Mapping[str, object]) -> bool:
    return any(isinstance(each, Mapping) for each in value.values())


def _with_dash(lines: list[str], indent: int) -> list[str]:
    first = lines[0]
    return [f"{first[:indent]}- {first[indent + 2 :]}", *lines[1:]]
