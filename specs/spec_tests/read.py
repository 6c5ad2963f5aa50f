"""Read a file of spec tests: text in, the typed model out, or every finding about its shape at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from shardwright.specs.direction import Direction
from shardwright.specs.findings.diagnostics import Findings, Note, Path, SpecError
from shardwright.specs.findings.wording import quote
from shardwright.specs.shape.shape import check_shape
from shardwright.specs.spec_tests.spec_tests import (
    Case,
    Delete,
    ExpectedTable,
    GivenTable,
    Insert,
    Moment,
    SpecTests,
    Update,
    WrittenEvent,
    WrittenRow,
)
from shardwright.specs.yaml.document import mapping, text, whole
from shardwright.specs.yaml.source import YamlSource, parse_yaml, read_yaml


def read_spec_tests(path: str, *, root: str | None = None) -> SpecTests:
    """The tests in a file, which has to stand in the project `root`, links followed; None: it may stand anywhere.
    Raises SpecError with all findings."""
    findings = Findings()
    return _check_and_build(read_yaml(path, findings, root=root), findings)


def parse_spec_tests(content: str, file: str) -> SpecTests:
    """The tests in a text, as if it stood in `file`. Raises SpecError with all findings."""
    findings = Findings()
    return _check_and_build(parse_yaml(content, file, findings), findings)


def _check_and_build(source: YamlSource | None, findings: Findings) -> SpecTests:
    if source is None:
        raise SpecError(findings.items)
    check_shape(source, "test", findings)
    document = mapping(source.data)
    cases = tuple(
        _case(mapping(node), ("cases", index), source=source, findings=findings)
        for index, node in enumerate(_list_or_empty(document.get("cases")))
    )
    _check_names(cases, source, findings)
    findings.raise_errors()
    return SpecTests(text(document, "migration") or "", cases, source)


def _case(node: Mapping[str, object], path: Path, *, source: YamlSource, findings: Findings) -> Case:
    events = tuple(_events(node, path))
    direction = Direction.BACKWARD if text(node, "direction") == Direction.BACKWARD else Direction.FORWARD
    if direction.copies:
        _refuse_of_backward(node, path, source=source, findings=findings)
    elif "copied" in node:
        message = "'copied' in a backward case: the way back copies nothing"
        findings.error("SW8864", message, source.key_span_of((*path, "copied")), hint="leave it out")
    return Case(
        name=text(node, "name") or "",
        direction=direction,
        given=tuple(_read_given_tables(mapping(node, "given", "rows"), (*path, "given", "rows"))),
        shards=tuple(
            given
            for database, tables in mapping(node, "given", "shards").items()
            for given in _read_given_tables(
                mapping(tables), (*path, "given", "shards", database), within=f"{database}."
            )
        ),
        events=events,
        batches=_batches(node, len(events), path=path, source=source, findings=findings),
        copied=_moments(text(node, "copied")),
        expect=tuple(_read_expected_tables(node, path)),
        exactly=node.get("exactly") is not False,
        path=path,
    )


def _refuse_of_backward(node: Mapping[str, object], path: Path, *, source: YamlSource, findings: Findings) -> None:
    if "shards" in mapping(node, "given"):
        message = "'shards' in a forward case: the plan copies the rows of the source"
        hint = "write 'direction: backward', or the rows of the source under 'rows'"
        findings.error("SW8864", message, source.key_span_of((*path, "given", "shards")), hint=hint)


def _read_given_tables(tables: Mapping[str, object], path: Path, *, within: str = "") -> Iterator[GivenTable]:
    for table, rows in tables.items():
        yield GivenTable(within + table, _rows(rows, (*path, table)), (*path, table))


def _events(node: Mapping[str, object], path: Path) -> Iterator[WrittenEvent]:
    for index, item in enumerate(_list_or_empty(node.get("events"))):
        event, here = mapping(item), (*path, "events", index)
        if (table := text(event, "insert")) is not None:
            yield Insert(table, _row(event, "row", here), here)
        elif (table := text(event, "update")) is not None:
            yield Update(table, _row(event, "where", here), _row(event, "set", here), here)
        elif (table := text(event, "delete")) is not None:
            yield Delete(table, _row(event, "where", here), here)


def _read_expected_tables(node: Mapping[str, object], path: Path) -> Iterator[ExpectedTable]:
    for database, tables in mapping(node, "expect").items():
        for table, wanted in mapping(tables).items():
            here = (*path, "expect", database, table)
            yield ExpectedTable(database, table, _rows(wanted, here), whole(mapping(wanted), "count"), here)


def _batches(
    node: Mapping[str, object], events: int, *, path: Path, source: YamlSource, findings: Findings
) -> tuple[tuple[int, ...], ...]:
    """The ways to cut, as sizes. Every event its own batch is no second way when there is one event at most."""
    given = node.get("batches")
    together, apart = (events,), (1,) * events
    if isinstance(given, list):
        sizes = tuple(size for size in given if isinstance(size, int))
        if sum(sizes) != events and not findings.has_errors:
            message = f"'batches' cuts {sum(sizes)} events, the case has {events}"
            findings.error("SW8860", message, source.span_of((*path, "batches")))
        return (sizes,)
    if events == 0:
        return ((),)
    match given:
        case "together":
            return (together,)
        case "apart":
            return (apart,)
        case _:
            return (together,) if events == 1 else (together, apart)


def _moments(copied: str | None) -> tuple[Moment, ...]:
    match copied:
        case "last":
            return ("last",)
        case "both":
            return ("first", "last")
        case _:
            return ("first",)


def _row(node: Mapping[str, object], key: str, path: Path) -> WrittenRow:
    return WrittenRow(mapping(node, key), (*path, key))


def _rows(value: object, path: Path) -> tuple[WrittenRow, ...]:
    return tuple(WrittenRow(mapping(row), (*path, index)) for index, row in enumerate(_list_or_empty(value)))


def _list_or_empty(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _check_names(cases: tuple[Case, ...], source: YamlSource, findings: Findings) -> None:
    """A report names a case by its name."""
    first: dict[str, Case] = {}
    for case in cases:
        known = first.setdefault(case.name, case)
        if known is not case and case.name:
            note = Note("first written at", source.span_of((*known.path, "name")))
            message = f"two cases are named {quote(case.name)}"
            findings.error("SW8859", message, source.span_of((*case.path, "name")), notes=(note,))
