"""Where does the result of a check go? Findings to stderr, reports where they were asked for; both give the exit code.

Runs in the process of the command; writes stderr, stdout and report files.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from shardwright.compiler.review.report.baseline import Baseline, UnreadableBaseline, baseline_text, read_baseline
from shardwright.compiler.review.report.reporters import ReportRequest, report_text
from shardwright.compiler.review.report.result import FailOn, RunResult, Sources, summary
from shardwright.runtime.cli.exits import Exit
from shardwright.runtime.cli.next_commands import SpecFacts, as_json
from shardwright.runtime.cli.terminal import line_width, palette_of
from shardwright.runtime.failures import InputAtFault, RuntimeFailure
from shardwright.specs.files.private_files import write_private
from shardwright.specs.findings.diagnostics import Severity
from shardwright.specs.findings.render import make_line_reader, render
from shardwright.specs.findings.safe_output import raw_stream

_TO_STDERR = ("text", "github")
DOCS = "SHARDWRIGHT_DOCS"
"""The environment variable with the address at which the documentation is served."""
_REPOSITORY_ROOT = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")


def deliver(result: RunResult, arguments: argparse.Namespace) -> int:
    """Prints the result and writes every report, with the commands that make sense now. Returns the exit code that
    follows from the findings.

    With `--quiet` warnings are counted and not printed; reports have them. Raises RuntimeFailure when a report cannot
    be written.
    """
    result = replace(result, details={**result.details, "next": as_json(spec_facts(result), arguments)})
    sources = Sources(make_line_reader(), _uri_below(_repository_root()), os.environ.get(DOCS, ""))
    result = _fold_known(result, arguments, sources)
    palette, width = palette_of(arguments.color), line_width()
    shown = [item for item in result.visible_findings if not arguments.quiet or item.severity is Severity.ERROR]
    sys.stderr.write(render(shown, read_line=sources.line, palette=palette, width=width))
    if counted := summary(result):
        print(counted, file=sys.stderr)
    for request in _requests(arguments):
        _write(report_text(request.format, result, sources), request)
    return Exit.INPUT_AT_FAULT if result.fails(FailOn(arguments.fail_on)) else Exit.DONE


def _fold_known(result: RunResult, arguments: argparse.Namespace, sources: Sources) -> RunResult:
    """By --baseline, or by the file that --write-baseline makes now. Raises RuntimeFailure (SW8051, SW8065, SW8066)."""
    named: str | None = getattr(arguments, "known_findings", None)
    written: str | None = getattr(arguments, "write_known_findings", None)
    if written is not None:
        text = baseline_text(result, sources)
        write_file(text, Path(written))
        return read_baseline(text).fold(result, sources)
    if named is None:
        return result
    baseline = _baseline_of(Path(named))
    folded = baseline.fold(result, sources)
    gone = baseline.count_gone(result, sources)
    if gone and not arguments.quiet and not arguments.paths and not folded.count(Severity.ERROR):
        words = "finding is" if gone == 1 else "findings are"
        print(f"{gone} known {words} gone: --write-baseline {named} takes what is gone out of it", file=sys.stderr)
    return folded


def _baseline_of(path: Path) -> Baseline:
    try:
        return read_baseline(path.read_text("utf-8"))
    except UnreadableBaseline as error:
        raise InputAtFault("SW8066" if error.newer else "SW8065", f"{path} cannot be read: {error}") from None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no UTF-8"
        raise InputAtFault("SW8065", f"{path} cannot be read: {reason}") from None


def spec_facts(result: RunResult) -> SpecFacts:
    errors = tuple(item.code for item in result.most_severe_first if item.severity is Severity.ERROR)
    return SpecFacts(errors, has_plans=result.command == "compile")


def check_requests(arguments: argparse.Namespace) -> None:
    """Refuses before any work reports that could not be delivered after it. Raises RuntimeFailure (SW8007)."""
    documents = [request.format for request in _requests(arguments) if request.path is None]
    on_stdout = [name for name in documents if name not in _TO_STDERR]
    if len(on_stdout) > 1:
        message = f"{' and '.join(on_stdout)} cannot both be written to stdout: name a file, {on_stdout[-1]}=PATH"
        raise RuntimeFailure("SW8007", message)


def _requests(arguments: argparse.Namespace) -> tuple[ReportRequest, ...]:
    """The reports that were asked for and, within a GitHub workflow, annotations.

    Annotations go to stderr: stdout has nothing that was not asked for.
    """
    requests: list[ReportRequest] = list(arguments.report)
    if arguments.format == "json":
        requests.append(ReportRequest("json", None))
    if os.environ.get("GITHUB_ACTIONS") == "true":
        requests.append(ReportRequest("github", None))
    text_is_there = ReportRequest("text", None)
    return tuple(dict.fromkeys(request for request in requests if request != text_is_there))


def _write(text: str, request: ReportRequest) -> None:
    if request.path is None:
        stream = sys.stderr if request.format in _TO_STDERR else sys.stdout
        (raw_stream(stream) if request.format == "github" else stream).write(text)
        return
    write_file(text, Path(request.path))


def write_file(text: str, path: Path) -> None:
    """Writes a report into a file. Raises RuntimeFailure (SW8051)."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise RuntimeFailure("SW8051", f"cannot write the report {path}: {error.strerror}") from None


def write_private_file(text: str, path: Path) -> None:
    """The same for a report that holds values of rows: only its owner may read it."""
    try:
        write_private(path, text)
    except OSError as error:
        raise RuntimeFailure("SW8051", f"cannot write the report {path}: {error.strerror}") from None


def _repository_root() -> Path:
    """The repository as continuous integration names it, else the nearest folder upward with .git, else this folder."""
    here = Path.cwd()
    for name in _REPOSITORY_ROOT:
        root = os.environ.get(name)
        if root and here.is_relative_to(Path(root).resolve()):
            return Path(root).resolve()
    return next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)


def _uri_below(root: Path) -> Callable[[str], str]:
    """Turns a file as findings name it into its path below `root`. A file outside keeps its own name."""

    def uri(file: str) -> str:
        path = Path(os.path.abspath(file))
        return path.relative_to(root).as_posix() if path.is_relative_to(root) else Path(file).as_posix()

    return uri
