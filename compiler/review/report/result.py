"""The one result of a run: what every reporter reads and what decides about the exit code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from shardwright.specs.findings.diagnostics import IN_BASELINE, Diagnostic, Severity, in_order


class FailOn(StrEnum):
    """The least severe finding that makes a run fail."""

    ERROR = "error"
    WARNING = "warning"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class RunResult:
    """`command` as typed ("dry-run"), `specs` the files looked at, `findings` of all of them in order, silenced ones
    included. `details` are what the command alone has to say, as JSON values; the JSON report shows them."""

    command: str
    specs: tuple[str, ...]
    findings: tuple[Diagnostic, ...]
    details: Mapping[str, object] = field(default_factory=dict)

    @property
    def visible_findings(self) -> tuple[Diagnostic, ...]:
        """The findings that are not silenced."""
        return tuple(item for item in self.findings if item.suppressed is None)

    @property
    def most_severe_first(self) -> tuple[Diagnostic, ...]:
        """The reported findings, errors before warnings, each in order: what a limit cuts off is the lesser part."""
        return tuple(sorted(self.visible_findings, key=lambda item: item.severity is not Severity.ERROR))

    @property
    def silence_count(self) -> int:
        """How many findings authors have silenced."""
        return len(self.findings) - len(self.visible_findings) - self.baseline_count

    @property
    def baseline_count(self) -> int:
        """How many findings a baseline has folded away."""
        return sum(item.suppressed == IN_BASELINE for item in self.findings)

    def count(self, severity: Severity) -> int:
        return sum(item.severity is severity for item in self.visible_findings)

    def fails(self, fail_on: FailOn) -> bool:
        match fail_on:
            case FailOn.NEVER:
                return False
            case FailOn.WARNING:
                return bool(self.visible_findings)
            case FailOn.ERROR:
                return self.count(Severity.ERROR) > 0


@dataclass(frozen=True, slots=True)
class Sources:
    """What reporters need of the files: `line(file, number)` is a line's text or None, `uri(file)` the file's path for
    machines, relative to the repository, with '/'. `docs` is the address at which the documentation is served, such as
    https://docs.example/sw/; empty where none is."""

    line: Callable[[str, int], str | None]
    uri: Callable[[str], str]
    docs: str = ""


def run_result(
    command: str, specs: Iterable[str], findings: Iterable[Diagnostic], *, details: Mapping[str, object] | None = None
) -> RunResult:
    """The findings in order, each once: two specs that read one schema file find the same in it."""
    return RunResult(command, tuple(specs), in_order(dict.fromkeys(findings)), details or {})


def summary(result: RunResult) -> str:
    """ "2 errors, 1 warning, 3 findings silenced, 49 findings known"; empty when there is nothing to count."""
    counted = [
        (result.count(Severity.ERROR), "error", ""),
        (result.count(Severity.WARNING), "warning", ""),
        (result.silence_count, "finding", " silenced"),
        (result.baseline_count, "finding", " known"),
    ]
    return ", ".join(f"{number} {word}{'' if number == 1 else 's'}{after}" for number, word, after in counted if number)
