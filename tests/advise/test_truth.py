"""`advise` finds the key that people who know the application would take, its family, and every trap that is planted."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from shardwright.compiler.advise.advice import Advice, advise
from shardwright.compiler.advise.design import Placement, Way
from shardwright.compiler.advise.source import SchemaText, make_source
from shardwright.compiler.advise.spec_text import Target
from shardwright.compiler.advise.statistics import read_statistics
from shardwright.compiler.advise.trap import Kind, Trap
from shardwright.compiler.schema.dump import read_script
from shardwright.compiler.workload.digest import digest_of
from shardwright.compiler.workload.read import read_workload
from tests.advise.workloads.make_workloads import FILES, FOLDER

NAMES: Final = sorted(FILES)
KINDS: Final = {
    "updated_key": (Kind.UPDATED_KEY,),
    "unique_without_key": (Kind.UNIQUE,),
    "hot_key": (Kind.HOT_KEY,),
    "low_cardinality_key": (Kind.FEW_VALUES,),
    "monotonic_key": (Kind.MONOTONIC_KEY,),
    "nullable_key": (Kind.NULLABLE_KEY,),
    "case_insensitive_key": (Kind.CASE_INSENSITIVE_KEY,),
    "key_of_other_type": (Kind.OTHER_TYPE,),
    "table_without_key": (Kind.NO_KEY,),
    "busy_small_table": (Kind.BUSY_COPY,),
    "cross_shard_join": (Kind.JOIN,),
    "changed_answer": (Kind.ANSWER,),
    "cross_shard_transaction": (Kind.TRANSACTION, Kind.TWO_KEYS, Kind.UPDATED_KEY),
    "id_lookup_without_key": (Kind.LOOKUP,),
    "self_reference": (Kind.OWN_PARENT,),
    "many_to_many": (Kind.TWO_KEYS,),
}
"""The truth's words, and the kinds that say it."""


@cache
def _truth(name: str) -> dict[str, Any]:
    return yaml.safe_load((FOLDER / name / "truth.yaml").read_text(encoding="utf-8"))


@cache
def advice_of(name: str, sizes: bool) -> Advice:
    folder: Path = FOLDER / name
    script = read_script((folder / "schema.sql").read_text(encoding="utf-8"), dialect="mariadb")
    statistics = read_statistics((folder / "statistics.json").read_text(encoding="utf-8")) if sizes else {}
    statements = read_workload((folder / FILES[name]).read_text(encoding="utf-8"), FILES[name])
    schema = SchemaText(name, "mariadb", "schema.sql", script.text)
    return advise(make_source(schema, statistics=statistics, statements=statements), Target.with_numbers(name, 4))


@pytest.mark.in_turn
@pytest.mark.parametrize("sizes", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_the_right_key_is_first(name: str, sizes: bool) -> None:
    best = advice_of(name, sizes).designs[0]
    assert best.key.name == "{table}.{column}".format(**_truth(name)["key"])


def _kind_of(placed: Placement) -> str:
    if placed.is_in_family:
        return "family"
    return "broadcast" if placed.way is Way.BROADCAST else "apart"


@pytest.mark.in_turn
@pytest.mark.parametrize("name", NAMES)
def test_every_table_goes_where_it_belongs(name: str) -> None:
    truth, design = _truth(name), advice_of(name, True).designs[0].assessment.proposal.design
    wrong = []
    for table, place in truth["family"].items():
        placed = design.placements[table]
        wanted = (Way.PARENT if "parent" in place else Way.KEY, (place["column"],), place.get("parent"))
        if (placed.way, placed.columns, placed.parent) != wanted and _kind_of(placed) != place.get("or"):
            wrong.append((table, place, placed))
    for kind in ("broadcast", "apart"):
        for table in truth[kind]:
            about = truth[kind][table] if isinstance(truth[kind], dict) else {}
            wanted_kinds = (kind, about.get("or") if isinstance(about, dict) else None)
            if _kind_of(design.placements[table]) not in wanted_kinds:
                wrong.append((table, kind, design.placements[table]))
    assert wrong == []


@pytest.mark.parametrize("name", NAMES)
def test_every_trap_is_named(name: str) -> None:
    """A trap of a table that has a copy everywhere is none where the truth allows the copy."""
    advice, truth = advice_of(name, True), _truth(name)
    copied = {one.table for one in advice.designs[0].assessment.proposal.design.of_way(Way.BROADCAST)}
    gone = {table for table, place in truth["family"].items() if place.get("or") == "broadcast"} & copied
    found = [
        trap
        for traps in (*(one.traps for one in advice.designs), *(one.traps for one in advice.others))
        for trap in traps
    ]
    missing = [trap for trap in truth["traps"] if not any(_is_named(trap, one) for one in found)]
    assert [trap for trap in missing if trap["table"] not in gone] == []


def _is_named(planted: dict[str, Any], found: Trap) -> bool:
    if found.kind not in KINDS[planted["kind"]]:
        return False
    if "statement" in planted and found.statement and found.kind is not Kind.TRANSACTION:
        return _first_words(found.statement).startswith(_first_words(planted["statement"])[:60])
    return found.table == planted["table"] and (not found.column or found.column == planted.get("column", found.column))


def _first_words(statement: str) -> str:
    words = digest_of(statement)[1].replace("`", "").lower().replace(" as ", " ")
    return "".join(words.split())
