"""Which bad statements are known? A file of the repository has their digests with the verdicts. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from shardwright.compiler.conform.conformance import JudgedGroup
from shardwright.compiler.conform.verdict import Verdict

FORMAT = 1


class BadBaseline(Exception):
    """The text is no baseline; the message says why."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """`known` has the verdict of each digest."""

    known: Mapping[str, Verdict] = field(default_factory=dict)

    def knows(self, judged: JudgedGroup) -> bool:
        """Whether the statement was there, with the same verdict."""
        return self.known.get(judged.group.digest) == judged.judgement.verdict


def read_baseline(text: str) -> Baseline:
    """Raises BadBaseline."""
    try:
        data = json.loads(text)
        if "findings" in data:
            raise BadBaseline("it is a baseline of `compile`, which has findings and no statements")
        if data["format"] != FORMAT:
            raise BadBaseline(f"its format is {data['format']!r}, and this version reads format {FORMAT}")
        return Baseline({str(one["digest"]): Verdict(one["verdict"]) for one in data["statements"]})
    except (ValueError, KeyError, TypeError) as error:
        raise BadBaseline(f"it is not what --write-baseline writes ({type(error).__name__}: {error})") from None


def baseline_text(judged: Iterable[JudgedGroup]) -> str:
    """The file with every bad statement, sorted by digest, so that a change of it is a line of a pull request."""
    bad = sorted((one for one in judged if one.judgement.verdict.is_bad), key=lambda one: one.group.digest)
    entries = [{"digest": one.group.digest, "verdict": str(one.judgement.verdict), "sql": one.group.sql} for one in bad]
    return json.dumps({"format": FORMAT, "statements": entries}, indent=2, ensure_ascii=False) + "\n"
