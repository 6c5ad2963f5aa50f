"""Every spec of the golden files has a router in every language, and the Python one passes the vectors."""

from __future__ import annotations

import json
import types
from pathlib import Path

import pytest

from shardwright.compiler.build import CompiledPlan
from shardwright.compiler.router.library import FILE_NAMES, library
from shardwright.compiler.router.model import router_of
from shardwright.compiler.router.vectors import vectors
from tests.compiler.projects import PROJECTS, compile_folder, compile_shop

READ = {"integer": int, "text": str, "bytes": bytes.fromhex}
SPECS = [folder for folder in PROJECTS if (folder / "spec.yaml").exists()]


@pytest.mark.parametrize("folder", SPECS, ids=lambda folder: folder.name)
def test_d15_every_spec_has_its_router(folder: Path) -> None:
    check(compile_folder(folder))


def test_d15_so_has_the_shop() -> None:
    check(compile_shop())


def check(compiled: CompiledPlan) -> None:
    router = router_of(compiled)
    texts = {form: library(router, form) for form in FILE_NAMES}
    assert all(router.fingerprint in text for text in texts.values())
    module = types.ModuleType("places")
    exec(compile(texts["python"], "places.py", "exec"), module.__dict__)
    held = json.loads(vectors(router))
    for vector in held["vectors"]:
        key = {name: None if value is None else READ[kind](text)
               for name, value in vector["key"].items() for kind, text in (value or {"": ""}).items()}  # fmt: skip
        assert module.route(vector["table"], key) == (vector["database"], vector["name"])
    for table, places in held["places"].items():
        assert [list(place) for place in module.places(table)] == places
    for table in compiled.plan.tables:
        every = [[compiled.plan.databases[shard], name] for shard, _, name in compiled.plan.physical_tables(table)]
        assert [list(place) for place in module.places(table.logical)] == every
