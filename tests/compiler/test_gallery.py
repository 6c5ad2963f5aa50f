"""Every clause of both servers' CREATE TABLE, as SHOW CREATE TABLE prints it: imported by the verb, compiled, and
created again on a target, whose columns are then the source's. What is left out has a warning that names it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from shardwright.compiler.build import CompiledPlan, build_plan
from shardwright.compiler.plan.plan import StepName
from shardwright.runtime.run.preflight.source_tables import source_tables
from shardwright.runtime.run.preflight.tolerance import Tolerance
from shardwright.specs.spec.read import read_spec
from tests.servers.testbed import Arena
from tests.support.commands import shardwright
from tests.support.job import ENVIRONMENT

pytestmark = pytest.mark.server

GALLERY = Path(__file__).parents[1] / "cases" / "gallery"
COLUMNS = (
    "SELECT column_name, column_type, is_nullable, column_default, character_set_name, collation_name, column_comment, "
    "extra, data_type, generation_expression FROM information_schema.columns "
    "WHERE table_schema = %s AND table_name = %s ORDER BY ordinal_position"
)
_SKIPPED = re.compile(r"auto_increment| /\*M!100301 COMPRESSED\*/")
LEFT_OUT = {
    "mariadb": {
        "part_sub": ["PARTITION BY"],
        "odd(name) `it": ["PARTITION BY"],
        "default_sequence": ["DEFAULT NEXTVAL of column 'id'", "DEFAULT (NEXTVAL ...) of column 'w'"],
        "compressed_columns": [f"COMPRESSED of column '{name}'" for name in "cvbw"],
        "keys_of_all_kinds": ["IGNORED of key 'kd'"],
        "periods": ["PERIOD FOR 'p'", "UNIQUE KEY 'over_p' ... WITHOUT OVERLAPS"],
        "options_myisam": ["CHECKSUM", "DELAY_KEY_WRITE"],
        "options_aria": ["PAGE_CHECKSUM", "TRANSACTIONAL"],
        "comments": [],
        "names": [],
        "enums": [],
        "floats": [],
        "defaults_plain": [],
    },
    "mysql": {
        "part_sub": ["PARTITION BY"],
        "part_key": ["PARTITION BY"],
        "hidden": ["INVISIBLE of key 'kf'"],
        "spatial_columns": ["SRID of column 'g'", "SRID of column 'p'"],
        "checks": ["CHECK 'off' NOT ENFORCED"],
        "comments": [],
        "names": [],
        "floats": [],
    },
}


class Gallery:
    """A project whose spec takes every table that the script made, without the columns that no plan carries."""

    def __init__(self, arena: Arena, folder: Path) -> None:
        self.arena, self.project = arena, folder / "project"
        self.kind = arena.source.sandbox.kind
        (self.project / "specs").mkdir(parents=True)
        arena.prepare(self.project, source_databases=("gallery",), target_databases=("left",))
        arena.source.run_script(GALLERY / f"{self.kind}.sql", database="gallery")
        names = arena.source.query(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'gallery' AND table_type = 'BASE TABLE'"
        )
        self.tables = [str(name) for (name,) in names]
        entries = [
            {"table": name, "sharding": "broadcast", "columns": {"exclude": self.read_excluded(name)}}
            for name in self.tables
        ]
        spec = {
            "version": 1,
            "migration": "gallery",
            "source": {"dialect": self.kind, "databases": ["gallery"], "schema": "schema/gallery.sql"},
            "target": {"databases": ["left"]},
            "tables": [
                entry if entry["columns"]["exclude"] else {k: v for k, v in entry.items() if k != "columns"}
                for entry in entries
            ],
        }
        self.spec = self.project / "specs" / "gallery.yaml"
        self.spec.write_text(yaml.safe_dump(spec, allow_unicode=True), encoding="utf-8")

    def read_excluded(self, table: str) -> list[str]:
        rows = self.arena.source.query(COLUMNS, ("gallery", table))
        return [str(row[0]) for row in rows if row[-1]]

    def columns(self, server: Any, database: str, table: str) -> list[tuple[object, ...]]:
        left_out = self.read_excluded(table)
        return [
            tuple(self._without_counters(item) for item in row[:8])
            for row in server.query(COLUMNS, (database, table))
            if row[0] not in left_out
        ]

    @staticmethod
    def _without_counters(item: object) -> object:
        """Without what the plan leaves out: counters, sequences, compression."""
        if not isinstance(item, str):
            return item
        return None if "nextval" in item or item == "NULL" else _SKIPPED.sub("", item).strip(" ,")

    def compile(self) -> CompiledPlan:
        text = (self.project / "schema" / "gallery.sql").read_text("utf-8")
        return build_plan(read_spec(str(self.spec)), schema=text, ddl={})


def _on_shards(column: tuple[object, ...]) -> tuple[object, ...]:
    """What MySQL adds as a key of its own is visible on the shards: MariaDB has no such column."""
    return (*column[:-1], "") if column[0] == "my_row_id" else column


def test_every_clause_that_a_server_prints(arena: Arena, tmp_path: Path) -> None:
    gallery = Gallery(arena, tmp_path)
    shardwright(gallery.project, "import", "--env", ENVIRONMENT).require(0)
    compiled = gallery.compile()

    said = [item.message for item in compiled.warnings if item.code == "SW4108"]
    assert len(said) == len(set(said))
    for table, clauses in LEFT_OUT[gallery.kind].items():
        reported = [message.partition(": left out of the target: ")[2] for message in said if f"'{table}'" in message]
        assert reported == ([", ".join(clauses)] if clauses else []), table

    held = frozenset(name for table in compiled.plan.tables for name in table.sources)
    with arena.source.connect() as connection:
        faults = list(source_tables(connection, compiled.plan, held, tolerated=Tolerance.NONE))
    assert faults == []  # what was read of the printed statements is what the catalogue lists

    (target,) = {*arena.placement.values()}
    for table in gallery.tables:
        for statement in compiled.plan.step(table, StepName.CREATE_TABLE).statements[:1]:
            target.query(statement.sql.replace("${suffix}", ""), database="left")
    wrong = []
    for table in gallery.tables:
        pairs = zip(
            gallery.columns(target, "left", table), gallery.columns(arena.source, "gallery", table), strict=True
        )
        wrong += [(table, made, wanted) for made, wanted in pairs if made != _on_shards(wanted)]
    assert not wrong, "\n".join(map(str, wrong))
