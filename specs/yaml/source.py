"""Strict YAML: a file's bytes become text that is safe to parse (size, encoding, characters that hide meaning), the
parser's events go to our own builder, and what it cannot read becomes a finding.
"""

from __future__ import annotations

import re
import unicodedata

import yaml

from shardwright.specs.files.project_files import YAML_BYTES, FileRefused, read_file
from shardwright.specs.findings.diagnostics import Findings, Span
from shardwright.specs.yaml.builder import DocumentBuilder, TooDeep
from shardwright.specs.yaml.document import YamlSource

# Line breaks that only YAML 1.1 knows (NEL, LS, PS) would shift every later line number against the author's editor.
# A byte order mark is accepted at the very start only.
_REFUSED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]|\r(?!\n)")


def read_bytes(path: str, findings: Findings, *, root: str | None) -> bytes | None:
    """The file's bytes; None and a finding when it cannot be read, is too large, or stands outside of `root` (None: the
    operator named it, and it may stand anywhere)."""
    try:
        return read_file(path, root=root, limit=YAML_BYTES)
    except FileRefused as refused:
        findings.error(refused.code, f"the file {refused.reason}", Span(path, 1, 1))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        findings.error("SW1001", f"cannot read the file: {reason}", Span(path, 1, 1))
    return None


def decode(content: bytes, file: str, findings: Findings) -> str | None:
    """The text of UTF-8 bytes, line ends as newlines; None and a finding when it is not clean text."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line, column = _place(content[: error.start].decode("utf-8"))
        byte = content[error.start]
        findings.error("SW1009", f"the file is not UTF-8 text: byte 0x{byte:02x} here", Span(file, line, column))
        return None
    return clean(text, file, findings)


def clean(text: str, file: str, findings: Findings) -> str | None:
    """The text without byte order mark and with newlines as line ends; None and a finding for a refused character."""
    text = text.removeprefix("\ufeff")
    match = _REFUSED.search(text)
    if match:
        line, column = _place(text[: match.start()])
        character = match.group()
        name = unicodedata.name(character, "control character").lower()
        message = f"character U+{ord(character):04X} ({name}) is not allowed"
        findings.error("SW1009", message, Span(file, line, column), hint="write it as an escape in double quotes")
        return None
    text = text.replace("\r\n", "\n")
    return None if _has_tabs(text, file, findings) else text


def _has_tabs(text: str, file: str, findings: Findings) -> bool:
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if "\t" in line]
    if lines:
        number, line = lines[0]
        more = f" (and on {len(lines) - 1} more lines)" if len(lines) > 1 else ""
        findings.error("SW1005", f"tab character{more}", Span(file, number, line.index("\t") + 1), hint="use spaces")
    return bool(lines)


def _place(before: str) -> tuple[int, int]:
    """Line and column of what follows `before`."""
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


__all__ = ["YamlSource", "parse_yaml", "read_yaml"]

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml(path: str, findings: Findings, *, root: str | None = None) -> YamlSource | None:
    """Read and parse a file; None when findings leave nothing to work with. `root` is the project that the file has to
    stand in, links followed."""
    content = read_bytes(path, findings, root=root)
    text = None if content is None else decode(content, path, findings)
    return None if text is None else _parse(text, path, findings)


def parse_yaml(text: str, file: str, findings: Findings) -> YamlSource | None:
    """Parse a text as if it stood in `file`; None when findings leave nothing to work with."""
    cleaned = clean(text, file, findings)
    return None if cleaned is None else _parse(cleaned, file, findings)


def _parse(text: str, file: str, findings: Findings) -> YamlSource | None:
    builder = DocumentBuilder(file, tuple(text.split("\n")), findings)
    try:
        return builder.document(yaml.parse(text, Loader=_LOADER))
    except TooDeep:
        return None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        span = Span(file, 1, 1) if mark is None else builder.clamp(mark.line, mark.column)
        context = f"{error.context}: " if error.context else ""
        findings.error("SW1002", f"not valid YAML: {context}{error.problem}", span)
    except yaml.YAMLError as error:
        findings.error("SW1002", f"not valid YAML: {error}".replace("\n", " "), Span(file, 1, 1))
    return None
