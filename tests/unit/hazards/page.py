"""docs/reference/hazards.md: each hazard, the tests that name it, and the verdict of tests/hazards.yaml."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml

from tests.unit.hazards.named import NamedTest

GROUPS: Final = {
    "A": "Crashes, atomicity, order",
    "B": "The copy, and where the stream takes over",
    "C": "Types and values",
    "D": "Keys, collations, shards",
    "E": "The log: images, GTIDs, DDL",
    "F": "Canal, Debezium, Kafka, RocketMQ",
    "G": "Writing to the target",
    "H": "Verifying, repairing, cutting over",
    "I": "Security",
    "J": "Methods",
}
VERDICTS: Final = {"held": "held by tests", "partly": "partly", "refused": "refused by name", "not yet": "not yet"}


@dataclass(frozen=True, slots=True)
class Hazard:
    number: str
    name: str
    verdict: str
    why: str
    cases: tuple[str, ...]
    """Folders of tests/cases/invalid: specs that are refused because of this hazard."""


def read_hazards(path: Path) -> tuple[Hazard, ...]:
    entries = yaml.safe_load(path.read_text(encoding="utf-8"))
    return tuple(
        Hazard(
            number=number,
            name=entry["name"],
            verdict=entry.get("verdict", "held"),
            why=entry.get("why", ""),
            cases=tuple(entry.get("cases", ())),
        )
        for number, entry in entries.items()
    )


def page(hazards: Sequence[Hazard], tests: Mapping[str, Sequence[NamedTest]]) -> str:
    return "\n".join(_lines(hazards, tests)) + "\n"


def _lines(hazards: Sequence[Hazard], tests: Mapping[str, Sequence[NamedTest]]) -> Iterator[str]:
    yield "# Hazards"
    yield ""
    yield (
        "What has broken systems that move data, and what shows that it does not break this one. Generated from\n"
        "`tests/hazards.yaml` and from the names of the tests (`SHARDWRIGHT_REWRITE=1 pytest tests/unit/hazards`): a test that\n"
        "begins with `test_a1_b3_` is about A1 and B3. `case` is a spec that is refused, in `tests/cases/invalid`."
    )
    yield ""
    yield from _counts(hazards)
    for letter, title in GROUPS.items():
        yield from ("", f"## {letter}. {title}", "", "| | hazard | verdict | shown by |", "|---|---|---|---|")
        for hazard in hazards:
            if hazard.number[0] == letter:
                yield _row(hazard, tests.get(hazard.number, ()))


def _counts(hazards: Sequence[Hazard]) -> Iterator[str]:
    yield "| verdict | hazards |"
    yield "|---|---|"
    for verdict, words in VERDICTS.items():
        yield f"| {words} | {sum(hazard.verdict == verdict for hazard in hazards)} |"


def _row(hazard: Hazard, tests: Sequence[NamedTest]) -> str:
    verdict = VERDICTS[hazard.verdict] + (f": {hazard.why}" if hazard.why else "")
    shown = [f"[{test.name.removeprefix('test_')}](../../{test.file})" for test in tests]
    shown += [f"case [{case}](../../tests/cases/invalid/{case})" for case in hazard.cases]
    return f"| {hazard.number} | {hazard.name} | {verdict} | {'<br>'.join(shown)} |"
