"""Whatever is written in specs and schema files, the compiler answers with findings that have places, or with a plan
whose every statement says what it seems to say (hazards I1, I6).

`make test-all` and `make fuzz` run far more examples; SHARDWRIGHT_FUZZ_EXAMPLES is their number. A failure prints how
to repeat it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import sqlglot
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlglot import exp

from shardwright.compiler.build import build_plan
from shardwright.compiler.plan.files import plan_files
from shardwright.compiler.plan.plan import Plan, with_suffix
from shardwright.compiler.sql.mysql_parser import parse_tokens
from shardwright.specs.findings.codes.registry import find_code
from shardwright.specs.findings.diagnostics import Diagnostic, SpecError
from shardwright.specs.spec.read import read_spec
from tests.compiler.projects import GOLDEN
from tests.fuzz.hostile import projects, spoil

pytestmark = pytest.mark.slow

EXAMPLES = int(os.environ.get("SHARDWRIGHT_FUZZ_EXAMPLES", "15"))

FUZZ = settings(
    max_examples=EXAMPLES,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def plan_of(spec: str, schema: str) -> Plan | None:
    """The plan, or None after findings that are as they must be."""
    Path("spec.yaml").write_bytes(spec.encode("utf-8", "surrogatepass"))
    files = {"spec.yaml"}
    try:
        read = read_spec("spec.yaml")
        files.add(read.source.schema)  # as the spec calls it, spoiled or not
        compiled = build_plan(read, schema=schema, ddl={})
    except SpecError as error:
        assert error.diagnostics
        require_places(error.diagnostics, files)
        return None
    require_places(compiled.warnings, files)
    return compiled.plan


def require_places(found: tuple[Diagnostic, ...], files: set[str]) -> None:
    for item in found:
        assert find_code(item.code)
        assert item.span.file in files
        assert item.span.line >= 1 and item.span.column >= 1
        assert item.message


def require_honest(plan: Plan) -> None:
    """Every statement is one statement, is the same tree after another round, and quotes its names."""
    for step in plan.steps:
        for statement in step.statements:
            for sql in (statement.sql, with_suffix(statement.sql, "_1")):
                (tree,) = _trees(sql, step.name.dialect)
                assert tree is not None
                assert _trees(tree.sql(step.name.dialect), step.name.dialect) == [tree]
                assert not isinstance(tree, exp.Command), sql
            unquoted = [node for node in tree.find_all(exp.Identifier) if not node.args.get("quoted")]
            assert [node.name for node in unquoted if not _names_lateral_view(node)] == [], sql
    assert plan_files(plan)


def _trees(sql: str, dialect: str) -> list[exp.Expr | None]:
    """MySQL's types of shapes (POINT) are words that sqlglot alone does not know."""
    tokens = sqlglot.tokenize(sql, dialect=dialect)
    return parse_tokens(tokens, sql) if dialect == "mysql" else sqlglot.parse(sql, dialect=dialect)


def _names_lateral_view(node: exp.Identifier) -> bool:
    """Which only the fixed texts of Spark steps do: sqlglot prints that name as it stands."""
    alias = node.parent
    return isinstance(alias, exp.TableAlias) and isinstance(alias.parent, exp.Lateral) and alias.this is node


@pytest.mark.in_turn
@FUZZ
@given(projects())
def test_i1_i6_hostile_projects(folder: Path, project: tuple[dict[str, object], str]) -> None:
    document, schema = project
    plan = plan_of(yaml.safe_dump(document, allow_unicode=True, sort_keys=False), schema)
    if plan is not None:
        require_honest(plan)


@FUZZ
@given(st.data())
def test_spoiled_texts(folder: Path, data: st.DataObject) -> None:
    """Valid files with something cut out or put in."""
    project = data.draw(st.sampled_from(sorted(path for path in GOLDEN.iterdir() if path.is_dir())))
    spec, schema = ((project / name).read_text("utf-8") for name in ("spec.yaml", "schema.sql"))
    if data.draw(st.booleans()):
        spec = data.draw(spoil(spec))
    else:
        schema = data.draw(spoil(schema))
    plan = plan_of(spec, schema)
    if plan is not None:
        require_honest(plan)
