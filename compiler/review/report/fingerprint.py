"""What tells a finding from all others, and stays when lines move: for tools that remember what was seen before."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable

from shardwright.compiler.review.report.result import Sources
from shardwright.specs.findings.diagnostics import Diagnostic


def fingerprints(findings: Iterable[Diagnostic], sources: Sources) -> tuple[str, ...]:
    """One of 32 hexadecimal digits for each finding, in order: from code, file, message and the marked line's text
    without its margins. Findings that agree in all of it are distinguished by their order."""
    seen: Counter[tuple[str, ...]] = Counter()
    found = []
    for item in findings:
        line = sources.line(item.span.file, item.span.line) or ""
        same = (item.code, sources.uri(item.span.file), item.message, " ".join(line.split()))
        text = "\0".join((*same, str(seen[same])))
        seen[same] += 1
        found.append(hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32])
    return tuple(found)
