"""The text of the next spec: its parts in a stable order, with a remark wherever a person has to look. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from shardwright.compiler.rescale.entries import Entry
from shardwright.specs.spec.model import Source, Spec
from shardwright.specs.yaml.topology import fold
from shardwright.specs.yaml.yaml_text import block, items

_HEADER = """\
# yaml-language-server: $schema=../.shardwright/spec.v1.schema.json
# Written by `shardwright rescale`: the shards of {migration} are the source.
# Look at every line with LOOK, and at `sharding`. Then delete these remarks: the file is yours.
"""


@dataclass(frozen=True, slots=True)
class Document:
    """`old` is the spec of the migration before. `source_rules` and `target_rules` are by name."""

    old: Spec
    migration: str
    databases: Sequence[str]
    suffixes: Sequence[str]
    schema: str
    source_rules: Mapping[str, Mapping[str, object]]
    target_rules: Mapping[str, Mapping[str, object]]
    entries: Sequence[Entry]
    stays: Sequence[str]

    def text(self) -> str:
        parts = [*self._head(), "", *self._source(), "", *self._target(), "", *block({"sharding": self.target_rules})]
        parts += ["", *self._tables()]
        if self.stays:
            listed = ["", "# Tables of the shards' own. LOOK: a DDL file makes them on the new shards."]
            parts += [*listed, *block({"ignore_tables": list(self.stays)})]
        if self.old.invariants:
            parts += [
                "",
                "invariants:",
                *(line for each in items(list(_invariants(self.old)), indent=2) for line in each),
            ]
        return _HEADER.format(migration=self.old.migration) + "\n".join(parts) + "\n"

    def _head(self) -> list[str]:
        owner = {} if self.old.owner is None else {"owner": self.old.owner}
        return block({"version": 1, "migration": self.migration, **owner})

    def _source(self) -> list[str]:
        target, source = self.old.target, self.old.source
        suffix = {"tables_suffix": fold(target.tables_suffix)} if tuple(target.tables_suffix) != ("",) else {}
        lines = [
            "source:",
            f"  dialect: {source.dialect}  # LOOK: the kind of the shards' servers",
            *block({"databases": fold(target.databases), **suffix, "schema": self.schema}, indent=2),
            *block({"stream": _stream(source)}, indent=2),
        ]
        if self.source_rules:
            lines.append(f"  # How {self.old.migration} has spread the rows: the way back needs it.")
            lines += block({"sharding": self.source_rules}, indent=2)
        return lines

    def _target(self) -> list[str]:
        suffix = {"tables_suffix": fold(self.suffixes)} if tuple(self.suffixes) != ("",) else {}
        ledger = {} if self.old.ledger is None else {"ledger": {"database": self.old.ledger}}
        recorder = {"flight_recorder": {"rows": self.old.flight_recorder}} if self.old.flight_recorder else {}
        grid = block({"databases": fold(self.databases), **suffix}, indent=2)
        return ["target:", *grid, *block(ledger), *block(recorder)]

    def _tables(self) -> Iterator[str]:
        yield "tables:"
        for number, (entry, lines) in enumerate(
            zip(self.entries, items([entry.settings for entry in self.entries], indent=2), strict=True)
        ):
            if number:
                yield ""
            yield from (f"  # LOOK: {remark}" for remark in entry.remarks)
            yield from lines


def _stream(source: Source) -> Mapping[str, object]:
    """The shards are followed by their logs, whatever the source before was followed by."""
    found: dict[str, object] = {"format": "binlog"}
    if source.ddl != "stop":
        found["ddl"] = source.ddl
    if source.ignored_ddl:
        found["ignore_ddl"] = list(source.ignored_ddl)
    if source.unavailable_source != "isolate":
        found["unavailable_source"] = source.unavailable_source
    return found


def _invariants(spec: Spec) -> Iterator[Mapping[str, object]]:
    for each in spec.invariants:
        yield {"name": each.name, "none" if each.must_be_empty else "sql": each.query}


def silence(text: str, silences: Iterable[tuple[int, str, str]], *, sign: str) -> str:
    """The text with a comment (which begins with `sign`) above each of these lines, which count from 1: a line with the
    code that is silenced there and the reason."""
    lines = text.split("\n")
    for line, code, reason in sorted(set(silences), reverse=True):
        margin = lines[line - 1][: len(lines[line - 1]) - len(lines[line - 1].lstrip())]
        lines.insert(line - 1, f"{margin}{sign} shardwright: ignore[{code}] because {reason}")
    return "\n".join(lines)
