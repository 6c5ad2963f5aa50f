"""Comments that silence (`shardwright: ignore[SW5101, SW5102] because REASON`), those of a file and of a spec, and what
they do to the findings of a run.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from shardwright.specs.findings.codes.registry import find_code, read_all_codes
from shardwright.specs.findings.diagnostics import Diagnostic, Findings, Pass, Severity, Span, suppressible
from shardwright.specs.findings.wording import did_you_mean, quote
from shardwright.specs.spec.model import Spec
from shardwright.specs.suppressions.comments import sql_comments, yaml_comments

FORM = "ignore[CODE] because REASON"

_MARK = re.compile(r"(?:--|#)\s*shardwright\s*:\s*", re.IGNORECASE)
_IGNORE = re.compile(r"ignore\s*\[(?P<codes>[^\]]*)\]\s*(?P<rest>.*)", re.DOTALL)
_REASON = re.compile(r"because\b[\s:]*(?P<reason>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Suppression:
    """Findings with `code` on lines `first` to `last` of `span.file` are silenced; where `files` are given, all in
    them.
    `span` is the code in the comment, or in the spec's `ignore`."""

    code: str
    reason: str
    span: Span
    first: int
    last: int
    files: tuple[str, ...] = ()

    def covers(self, code: str, span: Span) -> bool:
        if self.files:
            return code == self.code and span.file in self.files
        return code == self.code and span.file == self.span.file and self.first <= span.line <= self.last


def speaks_to_us(comment: str) -> bool:
    """Whether a comment, sign included, begins with `shardwright:`."""
    return _MARK.match(comment) is not None


def read_comment(comment: str, span: Span, *, lines: tuple[int, int], findings: Findings) -> tuple[Suppression, ...]:
    """What a comment silences on the given first and last line. `span` is its whole place. One that gives no reason
    silences too: one finding about it is enough."""
    begin = _MARK.match(comment)
    assert begin is not None
    found = _IGNORE.fullmatch(comment, begin.end())
    if found is None or not found["codes"].strip():
        hint = f"write 'shardwright: {FORM}'"
        findings.error("SW1801", f"cannot read {quote(comment.strip())}", span, hint=hint)
        return ()
    reason = _REASON.fullmatch(found["rest"].strip())
    text = reason["reason"].strip() if reason else ""
    if not any(map(str.isalnum, text)):
        findings.error("SW1802", f"{found['codes'].strip()} is silenced without a reason", span, hint="add 'because …'")
    items = []
    for part in re.finditer(r"[^,]+", found["codes"]):
        code = part.group().strip()
        if code:
            offset = found.start("codes") + part.start() + part.group().index(code)
            items.append(Suppression(code, text, span.shift(offset, len(code)), *lines))
    return tuple(item for item in items if may_be_silenced(item, findings))


def may_be_silenced(item: Suppression, findings: Findings) -> bool:
    """Whether its code is one that may be silenced; reports SW1803 or SW1804 otherwise."""
    if suppressible(item.code) is not None:
        return True
    known = find_code(item.code)
    if known is None:
        codes = (entry.code for entry in read_all_codes())
        hint = did_you_mean(item.code.upper().replace("O", "0").replace("I", "1"), filter(suppressible, codes))
        findings.error("SW1803", f"there is no code {quote(item.code)}", item.span, hint=hint)
    else:
        findings.error("SW1804", f"{item.code} ({known.title}) cannot be silenced", item.span, hint="fix it instead")
    return False


_WORD = "shardwright"
_CODE = re.compile(r"SW\d{4}")


def read_suppressions(text: str, file: str, findings: Findings) -> tuple[Suppression, ...]:
    """What the comments of a YAML or SQL text silence. `file` as findings name it; its ending tells which of the
    two."""
    if file.endswith(".csv") or _WORD not in text.lower():
        return ()  # scanning takes time, and most files have none; CSV has no comments
    text = text.replace("\r\n", "\n")
    comments = sql_comments(text) if file.endswith(".sql") else yaml_comments(text)
    found: list[Suppression] = []
    for comment in comments:
        if speaks_to_us(comment.text):
            span = Span(file, comment.line, comment.column, len(comment.text))
            found += read_comment(comment.text, span, lines=(comment.first, comment.last), findings=findings)
    return tuple(found)


def suppressions_of_spec(spec: Spec, files: Iterable[str], findings: Findings) -> tuple[Suppression, ...]:
    """What the spec's `ignore` silences in `files`, which are all that were read for it."""
    everywhere = tuple(files)
    found = []
    for code, reason in spec.ignore.items():
        if not _CODE.fullmatch(code):
            continue  # the shape check has a finding about it
        span = spec.key_span_of(("ignore", code))
        found.append(Suppression(code, reason, span, span.line, span.line, everywhere))
    return tuple(item for item in found if may_be_silenced(item, findings))


def silence(diagnostics: Iterable[Diagnostic], suppressions: Collection[Suppression]) -> tuple[Diagnostic, ...]:
    """The same findings; those that a suppression covers carry its reason."""
    return tuple(_silence(item, suppressions) for item in diagnostics)


def find_unused(
    diagnostics: Collection[Diagnostic],
    suppressions: Iterable[Suppression],
    *,
    finished: Mapping[str, Collection[Pass]],
) -> tuple[Diagnostic, ...]:
    """A warning for each suppression that covers nothing although its pass ran to the end over everything that its file
    takes part in: `finished` says so by file."""
    return tuple(
        Diagnostic("SW1805", f"{item.code} is silenced here, but nothing was found", item.span, Severity.WARNING)
        for item in suppressions
        if suppressible(item.code) in finished.get(item.span.file, ())
        and not any(item.covers(found.code, found.span) for found in diagnostics)
    )


def _silence(item: Diagnostic, suppressions: Collection[Suppression]) -> Diagnostic:
    if suppressible(item.code) is None:
        return item
    reason = next((each.reason for each in suppressions if each.covers(item.code, item.span)), None)
    return item if reason is None else replace(item, suppressed=reason)
