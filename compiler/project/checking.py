"""From the files of a project to what was found in them: shared by validate, compile and dry-run. Reads the files
that a spec names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from shardwright.compiler.project.project import Project
from shardwright.compiler.review.report.result import RunResult, run_result
from shardwright.specs.files.project_files import YAML_BYTES, FileRefused, read_file
from shardwright.specs.findings.diagnostics import Diagnostic, Findings, Pass, SpecError
from shardwright.specs.findings.diagnostics import Path as KeyPath
from shardwright.specs.spec.ledger_references import ledgers_meet_no_other
from shardwright.specs.spec.model import ShardingRule, Spec
from shardwright.specs.spec.read import draft_in_file
from shardwright.specs.spec.sound_parts import comparable, may_share_schema, unreadable_spec
from shardwright.specs.spec.table_references import check_project
from shardwright.specs.suppressions.apply import (
    Suppression,
    find_unused,
    read_suppressions,
    silence,
    suppressions_of_spec,
)

if TYPE_CHECKING:
    from shardwright.compiler.build import CompiledPlan


@dataclass(frozen=True, slots=True)
class SpecFiles:
    """`spec` names the files as findings shall name them, and has a fault for each that could not be read. `schema` is
    the schema file's text; `ddl` and `rule_files` are texts by name, and `texts` those of all files."""

    spec: Spec
    schema: str
    ddl: Mapping[str, str]
    rule_files: Mapping[str, str]
    texts: Mapping[str, str]
    findings: tuple[Diagnostic, ...]


def read_files(project: Project, spec: Spec) -> SpecFiles:
    """All that can be read, and why the others cannot. A path that has an error in the spec is not looked at."""
    faults: list[KeyPath] = []
    findings: list[Diagnostic] = []

    def read(at: KeyPath, texts: Callable[[], Mapping[str, str]]) -> Mapping[str, str]:
        if spec.faults.touch(*at):
            return {}
        try:
            return texts()
        except SpecError as error:
            findings.extend(error.diagnostics)
            faults.append(at)
            return {}

    def one(at: KeyPath, file: str) -> Mapping[str, str]:
        return read(at, lambda: {project.display_path(project.root / file): project.read_text(file, spec=spec, at=at)})

    schema = one(("source", "schema"), spec.source.schema)
    ddl = read(("ddl",), lambda: project.ddl_files(spec))
    rule_files: dict[str, str] = {}
    for path, file in spec.rule_files():
        rule_files |= one(path, file)
    schema_file = project.display_path(project.root / spec.source.schema)
    named = replace(
        spec,
        source=replace(spec.source, schema=schema_file),
        sharding={name: _shorten_paths(project, rule) for name, rule in spec.sharding.items()},
        faults=spec.faults.and_at(faults),
    )
    texts = {**schema, **ddl, **rule_files}
    return SpecFiles(named, schema.get(schema_file, ""), ddl, rule_files, texts, tuple(findings))


def _shorten_paths(project: Project, rule: ShardingRule) -> ShardingRule:
    vectors = None if rule.vectors is None else project.display_path(project.root / rule.vectors)
    file = rule.lookup_file
    options = rule.options if file is None else {**rule.options, "file": project.display_path(project.root / file)}
    return replace(rule, vectors=vectors, options=options)


@dataclass(frozen=True, slots=True)
class CheckedSpec:
    """One spec file: how far it came, and what was found. `draft` is the spec, be it with errors (None: the file is no
    YAML), `spec` the one without. `texts` are the files read for it (the spec itself included) by the name that
    findings use, `finished` the passes that ran to their end."""

    file: str
    findings: tuple[Diagnostic, ...]
    finished: tuple[Pass, ...] = ()
    draft: Spec | None = None
    compiled: CompiledPlan | None = None
    texts: Mapping[str, str] = field(default_factory=dict)

    @property
    def spec(self) -> Spec | None:
        return self.draft if "validate" in self.finished else None

    def with_pass(self, name: Pass, findings: Iterable[Diagnostic]) -> CheckedSpec:
        return replace(self, finished=(*self.finished, name), findings=(*self.findings, *findings))


def read_specs(project: Project, files: Iterable[Path]) -> tuple[CheckedSpec, ...]:
    """Shape and references of every file, and what the files say about each other."""
    checked = [_read(project, file) for file in files]
    drafts = {number: comparable(item.draft) for number, item in enumerate(checked) if item.draft is not None}
    known = tuple(drafts.values())
    for spec, finding in (*check_project(known), *ledgers_meet_no_other(known)):
        index = next(number for number, draft in drafts.items() if draft is spec)
        checked[index] = replace(checked[index], findings=(*checked[index].findings, finding))
    return tuple(checked)


def compile_specs(project: Project, files: Iterable[Path]) -> tuple[CheckedSpec, ...]:
    """Every file as far as its findings let it come."""
    named = tuple(files)
    checked = read_specs(project, named)
    # Those that are not compiled now still say which tables they move.
    elsewhere = [_read(project, file) for file in project.specs() if file not in named]
    drafts = [_draft(item) for item in (*checked, *elsewhere)]
    return tuple(
        _compile(project, item, [*drafts[:number], *drafts[number + 1 :]]) for number, item in enumerate(checked)
    )


def _draft(checked: CheckedSpec) -> Spec:
    return unreadable_spec(checked.file) if checked.draft is None else checked.draft


def conclude(
    command: str,
    checked: Iterable[CheckedSpec],
    *,
    project: Project,
    details: Mapping[str, object] | None = None,
) -> RunResult:
    """The run's one result: all findings, the silenced ones marked, and what is wrong with the silencing."""
    specs = tuple(checked)
    about_comments = Findings()
    texts = {file: text for spec in specs for file, text in spec.texts.items()}
    suppressions: list[Suppression] = []
    for file, text in texts.items():
        suppressions += read_suppressions(text, file, about_comments)
    for each in specs:
        if each.draft is not None:
            suppressions += suppressions_of_spec(each.draft, each.texts, about_comments)
    found = [item for spec in specs for item in spec.findings]
    without_use = find_unused(found, suppressions, finished=_complete_passes(specs, project))
    findings = [*silence(found, suppressions), *about_comments.items, *without_use]
    return run_result(command, (spec.file for spec in specs), findings, details=details)


def _complete_passes(specs: tuple[CheckedSpec, ...], project: Project) -> Mapping[str, frozenset[Pass]]:
    """The passes that are through with a file. Specs share schema and DDL files: about those, a run over a part of the
    project cannot tell."""
    whole = {spec.file for spec in specs} >= {project.display_path(file) for file in project.specs()}
    passes: dict[str, frozenset[Pass]] = {}
    for spec in specs:
        for file in spec.texts:
            if file == spec.file or whole:
                passes[file] = passes.get(file, frozenset(spec.finished)) & frozenset(spec.finished)
    return passes


def _read(project: Project, path: Path) -> CheckedSpec:
    file, findings = project.display_path(path), Findings()
    root = project.root_of(path)
    draft = draft_in_file(file, findings, root=root)
    finished: tuple[Pass, ...] = () if draft is None or findings.has_errors else ("validate",)
    return CheckedSpec(file, tuple(findings.items), finished, draft, texts=_texts(file, root))


def _texts(file: str, root: str | None) -> Mapping[str, str]:
    """The spec's own text by its name. Empty when it is not to be read: then there is a finding that says so."""
    try:
        return {file: read_file(file, root=root, limit=YAML_BYTES).decode("utf-8", "replace")}
    except (FileRefused, OSError, ValueError):
        return {}


def _compile(project: Project, checked: CheckedSpec, others: list[Spec]) -> CheckedSpec:
    if checked.draft is None:
        return checked
    from shardwright.compiler.build import build_plan
    from shardwright.compiler.project.many_tables import in_two_processes

    draft = checked.draft
    read = read_files(project, draft)
    checked = replace(checked, findings=(*checked.findings, *read.findings), texts={**checked.texts, **read.texts})
    others = [spec for spec in others if may_share_schema(spec, draft)]
    try:
        compiled = build_plan(
            read.spec, schema=read.schema, ddl=read.ddl, files=read.rule_files, others=others, each=in_two_processes
        )
    except SpecError as error:
        return replace(checked, findings=(*checked.findings, *error.diagnostics))
    if checked.spec is None:  # what is wrong with it leaves nothing in doubt
        return replace(checked, findings=(*checked.findings, *compiled.warnings))
    draft = replace(draft, tables=compiled.entries)
    return replace(checked.with_pass("compile", compiled.warnings), draft=draft, compiled=compiled)
