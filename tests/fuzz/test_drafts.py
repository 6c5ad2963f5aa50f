"""A project that is spoiled anywhere goes through all passes: they meet what no sound project has, and answer with
findings.

`make test-all` and `make fuzz` run far more examples; SHARDWRIGHT_FUZZ_EXAMPLES is their number.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shardwright.compiler.project.checking import compile_specs, conclude
from shardwright.compiler.project.project import Project
from shardwright.specs.findings.codes.registry import find_code

SOUND = Path(__file__).parents[1] / "compiler" / "all_findings"
TEXTS = {path.relative_to(SOUND): path.read_text("utf-8") for path in sorted(SOUND.rglob("*.*"))}
_WORD = re.compile(r"[\w*{}.\"]+|\[[^\]]*\]")
_VALUES = ("7", "[]", "{}", '""', "null", "[x]", "{a: b}", "true", "-", "`", "''", "/*!1 x */")
WORDS = sorted({word for text in TEXTS.values() for word in _WORD.findall(text)} | {*_VALUES})
EXAMPLES = int(os.environ.get("SHARDWRIGHT_FUZZ_EXAMPLES", "50"))


@st.composite
def spoil_projects(draw: st.DrawFn) -> dict[Path, str]:
    """One to five words or lines of the files are others, or gone."""
    texts = dict(TEXTS)
    for _ in range(draw(st.integers(1, 5))):
        path = draw(st.sampled_from(sorted(texts)))
        text = texts[path]
        if draw(st.integers(0, 3)) == 0:
            lines = text.split("\n")
            del lines[draw(st.integers(0, len(lines) - 1))]
            texts[path] = "\n".join(lines)
        elif words := list(_WORD.finditer(text)):
            word = draw(st.sampled_from(words))
            texts[path] = text[: word.start()] + draw(st.sampled_from(WORDS)) + text[word.end() :]
    return texts


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(texts=spoil_projects())
def test_findings_have_places(texts: dict[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for path, text in texts.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    project = Project(Path())
    checked = compile_specs(project, [Path("spec.yaml")])
    result = conclude("compile", checked, project=project)
    for item in result.findings:
        assert find_code(item.code)
        assert item.span.file in checked[0].texts
        lines = checked[0].texts[item.span.file].split("\n")
        assert 1 <= item.span.line <= len(lines) and item.span.column >= 1
    assert checked[0].compiled is not None or any(item.stops for item in result.findings)
