"""SARIF 2.1.0: the exchange format of static analysis, which code scanning services read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from shardwright.compiler.review.report.fingerprint import fingerprints
from shardwright.compiler.review.report.result import RunResult, Sources
from shardwright.specs.findings.codes.blocks import Code
from shardwright.specs.findings.codes.registry import anchor_of, explain, read_code
from shardwright.specs.findings.diagnostics import IN_BASELINE, Diagnostic, Note, Span

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
BASE = "SRCROOT"


def sarif_text(result: RunResult, sources: Sources) -> str:
    """Silenced findings are results with a suppression; every result names its rule by index and a fingerprint that
    stays when lines move. A rule carries its whole explanation, and leads to its code in the documentation
    (`helpUri`) where `sources.docs` has an address of http or https: SARIF wants it absolute."""
    from importlib.metadata import version  # slow to load, and seldom wanted

    codes = sorted({item.code for item in result.findings})
    marks = fingerprints(result.findings, sources)
    run = {
        "tool": {
            "driver": {
                "name": "shardwright",
                "version": version("shardwright"),
                "semanticVersion": version("shardwright"),
                "rules": [_rule(read_code(code), sources.docs) for code in codes],
            }
        },
        "automationDetails": {"id": f"shardwright/{result.command}/"},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {BASE: {"description": {"text": "The root of the repository."}}},
        "results": [_result(item, mark, codes, sources) for item, mark in zip(result.findings, marks, strict=True)],
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2, ensure_ascii=False) + "\n"


def _rule(entry: Code, docs: str) -> Mapping[str, object]:
    rule: dict[str, object] = {
        "id": entry.code,
        "shortDescription": {"text": f"{entry.title}."},
        "fullDescription": {"text": entry.explanation},
        "help": {"text": explain(entry.code)},
    }
    if docs.startswith(("https://", "http://")):
        rule["helpUri"] = f"{docs.rstrip('/')}/{anchor_of(entry.code)}"
    return rule


def _result(item: Diagnostic, mark: str, codes: Sequence[str], sources: Sources) -> Mapping[str, object]:
    text = item.message if item.hint is None else f"{item.message} ({item.hint})"
    result: dict[str, object] = {
        "ruleId": item.code,
        "ruleIndex": codes.index(item.code),
        "level": str(item.severity),
        "message": {"text": text},
        "locations": [_location(item.span, sources)],
        "partialFingerprints": {"shardwrightFinding/v1": mark},
        "suppressions": [] if item.suppressed is None else [_suppression(item.suppressed)],
    }
    related = [_note_location(note, note.span, sources) for note in item.notes if note.span is not None]
    if related:
        result["relatedLocations"] = related
    return result


def _suppression(reason: str) -> Mapping[str, object]:
    return {"kind": "external" if reason == IN_BASELINE else "inSource", "status": "accepted", "justification": reason}


def _note_location(note: Note, span: Span, sources: Sources) -> Mapping[str, object]:
    return {**_location(span, sources), "message": {"text": note.text}}


def _location(span: Span, sources: Sources) -> Mapping[str, object]:
    region = {"startLine": span.line, "startColumn": span.column, "endColumn": span.column + span.length}
    artifact = {"uri": _quote_uri(sources.uri(span.file)), "uriBaseId": BASE}
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}}


def _quote_uri(path: str) -> str:
    from urllib.parse import quote

    return quote(path, safe="/")
