"""One Spark session as `dry-run` starts it, and a compiled spec with every kind of table."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from shardwright.compiler.build import CompiledPlan, build_plan
from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.sharding.function import ShardFunction
from shardwright.runtime.rehearsal.dry_run.dry_run import SPARK_CONF
from shardwright.runtime.spark.session import start_spark
from shardwright.specs.environment.environment import SparkSettings
from shardwright.specs.spec.model import Spec
from shardwright.specs.spec.read import read_spec

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    session = start_spark(SparkSettings(master="local[2]"), name="dry-run tests", extra=SPARK_CONF)
    # Another test may have started the process's session first; what matters here are the SQL settings.
    for name, value in SPARK_CONF.items():
        if name.startswith("spark.sql."):
            session.conf.set(name, value)
    yield session
    session.stop()


@pytest.fixture(scope="package")
def spec() -> Spec:
    return read_spec(os.path.relpath(HERE / "spec.yaml"))


@pytest.fixture(scope="package")
def compiled(spec: Spec) -> CompiledPlan:
    return build_plan(spec, schema=(HERE / "schema.sql").read_text("utf-8"), ddl={})


@pytest.fixture(scope="package")
def plan(compiled: CompiledPlan) -> Plan:
    return compiled.plan


@pytest.fixture(scope="package")
def functions(compiled: CompiledPlan) -> Mapping[str, ShardFunction]:
    return compiled.functions
