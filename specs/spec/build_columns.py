"""From a table's `columns` to the typed model. Total, like `spec.build`."""

from __future__ import annotations

from collections.abc import Mapping

from shardwright.specs.findings.span import Path
from shardwright.specs.spec.model import CastColumn, ColumnChoices, ColumnDefault, DerivedColumn, MaskedColumn
from shardwright.specs.yaml.document import mapping, text, texts, whole


def column_choices(node: Mapping[str, object], path: Path) -> ColumnChoices:
    defaults = mapping(node, "default")
    return ColumnChoices(
        include=texts(node, "include"),
        exclude=texts(node, "exclude") or (),
        rename={name: to for name, to in mapping(node, "rename").items() if isinstance(to, str)},
        derive=tuple(_derived(name, mapping(node, "derive", name), path) for name in mapping(node, "derive")),
        cast=tuple(_cast(name, mapping(node, "cast", name), path) for name in mapping(node, "cast")),
        default=tuple(
            ColumnDefault(name, value, (*path, "default", name))
            for name, value in defaults.items()
            if isinstance(value, str)
        ),
        mask=tuple(_mask(name, value, (*path, "mask", name)) for name, value in mapping(node, "mask").items()),
    )


def _derived(name: str, node: Mapping[str, object], path: Path) -> DerivedColumn:
    return DerivedColumn(name, text(node, "expr") or "", text(node, "type") or "", (*path, "derive", name))


def _cast(name: str, node: Mapping[str, object], path: Path) -> CastColumn:
    accepted = text(node, "loss") == "accept"
    return CastColumn(name, text(node, "type") or "", accepted, text(node, "reason"), (*path, "cast", name))


def _mask(name: str, value: object, path: Path) -> MaskedColumn:
    node = mapping(value)
    if "hash" in node:
        return MaskedColumn(name, "hash", None, "salt" in node, path)
    if "keep_last" in node:
        return MaskedColumn(name, "keep_last", whole(node, "keep_last") or 1, False, path)
    return MaskedColumn(name, "redact", None, False, path)
