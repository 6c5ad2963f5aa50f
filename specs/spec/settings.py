"""Settings of a table that may stand in `defaults` for all: an entry of `tables` overrides them key by key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shardwright.specs.findings.span import Path, Span
from shardwright.specs.yaml.document import mapping
from shardwright.specs.yaml.source import YamlSource

DEFAULTED = ("weight", "version_column", "write", "deletes", "on_key_collision", "existing_rows", "defer_indexes")


def with_defaults(defaults: Mapping[str, object], entry: Mapping[str, object]) -> Mapping[str, object]:
    """The entry's node with what it leaves to the defaults."""
    node = dict(entry)
    for key in DEFAULTED:
        if key in defaults:
            node[key] = merged(defaults[key], entry[key]) if key in entry else defaults[key]
    return node


def merged(default: object, own: object) -> object:
    """`deletes` is a policy, or a mapping with one: what the entry does not say about it stands. A delay belongs to the
    policy it was written with."""
    if not isinstance(default, dict):
        return own if not isinstance(own, dict) or not isinstance(default, str) else {"policy": default, **own}
    chosen = own if isinstance(own, dict) else {"policy": own}
    kept = {key: value for key, value in default.items() if key != "delay" or "policy" not in chosen}
    return {**kept, **chosen}


def places_of_settings(
    yaml: YamlSource, defaults: Mapping[str, object], entries: Sequence[Mapping[str, object]]
) -> tuple[Mapping[Path, Span], Mapping[Path, Span]]:
    """The document's places, and for each table's setting that comes from the defaults its place there."""
    spans, key_spans = dict(yaml.spans), dict(yaml.key_spans)
    for index, entry in enumerate(entries):
        for key in DEFAULTED:
            if key not in defaults:
                continue
            inner = mapping(defaults, key) if key not in entry else mapping(with_defaults(defaults, entry), key)
            for path in [(key,), *((key, name) for name in inner)]:
                for places, known in ((spans, yaml.spans), (key_spans, yaml.key_spans)):
                    if ("defaults", *path) in known:
                        places.setdefault(("tables", index, *path), known[("defaults", *path)])
    return spans, key_spans
