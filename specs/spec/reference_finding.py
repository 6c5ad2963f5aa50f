"""What a check of references yields."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.specs.findings.diagnostics import Diagnostic
from shardwright.specs.findings.span import Path

Found = Iterator[tuple[Path, Diagnostic]]
"""Findings, each with the path it is about: dropped when that path is malformed, since all is said about it then."""
