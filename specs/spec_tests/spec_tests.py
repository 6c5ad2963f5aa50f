"""The typed, frozen form of a file of spec tests. Made by `read`; what its names and values mean is found out
where the plan is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from shardwright.specs.direction import Direction
from shardwright.specs.findings.diagnostics import Path
from shardwright.specs.yaml.document import YamlSource

ANYWHERE = "anywhere"
"""In place of a database: on whatever shard the rows may be."""

Moment = Literal["first", "last"]


@dataclass(frozen=True, slots=True)
class WrittenRow:
    """Column names and values as YAML gives them."""

    values: Mapping[str, object]
    path: Path


@dataclass(frozen=True, slots=True)
class GivenTable:
    table: str
    rows: tuple[WrittenRow, ...]
    path: Path


@dataclass(frozen=True, slots=True)
class Insert:
    table: str
    row: WrittenRow
    path: Path


@dataclass(frozen=True, slots=True)
class Update:
    """Every row that matches `where` gets the values of `set`."""

    table: str
    where: WrittenRow
    set: WrittenRow
    path: Path


@dataclass(frozen=True, slots=True)
class Delete:
    table: str
    where: WrittenRow
    path: Path


WrittenEvent = Insert | Update | Delete


@dataclass(frozen=True, slots=True)
class ExpectedTable:
    """`rows` are partial rows; with `count` only their number counts. `database` may be a range, or ANYWHERE."""

    database: str
    table: str
    rows: tuple[WrittenRow, ...]
    count: int | None
    path: Path


@dataclass(frozen=True, slots=True)
class Case:
    """`batches` says how the events are cut: each entry is one way, the sizes of its batches; `copied` says when the
    given rows' chunk is written. The case must hold for every way and moment. `shards` are rows of physical tables,
    named as "database.table", of a backward case."""

    name: str
    direction: Direction
    given: tuple[GivenTable, ...]
    shards: tuple[GivenTable, ...]
    events: tuple[WrittenEvent, ...]
    batches: tuple[tuple[int, ...], ...]
    copied: tuple[Moment, ...]
    expect: tuple[ExpectedTable, ...]
    exactly: bool
    path: Path


@dataclass(frozen=True, slots=True)
class SpecTests:
    """One file."""

    migration: str
    cases: tuple[Case, ...]
    source: YamlSource
