"""One comment that silences: `shardwright: ignore[SW5101, SW5102] because REASON`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from shardwright.specs.findings.codes.advice import suppressible
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.findings.span import Span
from shardwright.specs.findings.wording import did_you_mean, quoted

FORM = "ignore[CODE] because REASON"

_MARK = re.compile(r"(?:--|#)\s*shardwright\s*:\s*", re.IGNORECASE)
_IGNORE = re.compile(r"ignore\s*\[(?P<codes>[^\]]*)\]\s*(?P<rest>.*)", re.DOTALL)
_REASON = re.compile(r"because\b[\s:]*(?P<reason>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Suppression:
    """Findings with `code` on lines `first` to `last` of `span.file` are silenced; where `files` are given, all in them.
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
        findings.error("SW1801", f"cannot read {quoted(comment.strip())}", span, hint=hint)
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
            items.append(Suppression(code, text, span.shifted(offset, len(code)), *lines))
    return tuple(item for item in items if may_be_silenced(item, findings))


def may_be_silenced(item: Suppression, findings: Findings) -> bool:
    """Whether its code is one that may be silenced; reports SW1803 or SW1804 otherwise."""
    if suppressible(item.code) is not None:
        return True
    from shardwright.specs.findings.codes.registry import BY_CODE  # long texts, which only a finding needs

    if item.code not in BY_CODE:
        hint = did_you_mean(item.code.upper().replace("O", "0").replace("I", "1"), filter(suppressible, BY_CODE))
        findings.error("SW1803", f"there is no code {quoted(item.code)}", item.span, hint=hint)
    else:
        title = BY_CODE[item.code].title
        findings.error("SW1804", f"{item.code} ({title}) cannot be silenced", item.span, hint="mend it instead")
    return False
