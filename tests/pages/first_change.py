"""The page `docs/first-change.md`, from the Makefile, the pages of the rooms, the workflow, and the code of one lint rule."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Final

import yaml

from shardwright.compiler.lint.registry import RULES
from shardwright.compiler.lint.rule import Rule
from tests.rooms import ROOT

EXAMPLE: Final = next(rule for rule in RULES if rule.name == "engine")
_EXAMPLE_ROOM: Final = "compiler/lint"
_HEAD: Final = """\
# A first change in an hour

Generated from the `Makefile`, the pages of the rooms, the workflow and the code of one lint rule (`tests/pages`). The
example is a new lint rule: it touches one room, needs no server, and users see it. [CONTRIBUTING](../CONTRIBUTING.md)
has the rules of the house.
"""


def page() -> str:
    """Markdown, ending in a line break."""
    parts = (_HEAD, *_set_up(), *_find_the_room(), *_change(), *_check(), *_hand_in(), *_targets())
    return "\n".join(parts).rstrip("\n") + "\n"


def _set_up() -> Iterator[str]:
    yield """\
## 1. Set up: ten minutes, once

```
git clone ADDRESS shardwright && cd shardwright
make setup                        # packages of apt-get that are missing, then .venv from requirements.lock
.venv/bin/pre-commit install      # ruff and the layers at each commit; mypy and words before each push
make test-fast                    # no server, no Spark: all is well
```

With a container: open the folder in an editor that reads `.devcontainer/`, which does the first two.
"""
    assert {"setup", "test-fast"} <= _makefile().keys()


def _find_the_room() -> Iterator[str]:
    yield """\
## 2. Find the room: five minutes

Each folder below `specs`, `compiler` and `runtime` is a room. [How it works](how-it-works.md#the-code) has a
table of them. Read the README of the room: what it is for, its rules and why each is there, what is shared.
"""


def _change() -> Iterator[str]:
    module = import_module(EXAMPLE.check.__module__)
    path = f"{_EXAMPLE_ROOM}/{module.__name__.rpartition('.')[2]}.py"
    yield f"""\
## 3. Make the change: half an hour

The rule `{EXAMPLE.name}` finds {EXAMPLE.description}.
All of it, as an example for yours:

**The check and the rule**, in `{path}`, the module of their theme:

```python
{_source(EXAMPLE)}
```

**Its line in the registry**, `{_EXAMPLE_ROOM}/registry.py`: `{module.__name__.rpartition(".")[2]}.{_constant(EXAMPLE)},`, in the order
of codes. A code is never used twice, so take the next free number.

**Where else the code is named**:
"""
    for place, what in _places(EXAMPLE):
        yield f"* `{place}`: {what}"
    yield f"""
**A case and a near miss** need no Python. A case is a folder with a spec, a schema file and what is expected; the near
miss is a neighbour in which the rule stays silent. Write the input, let the test write the rest, and read it:

```
{_command("tests/unit/specs/test_cases.py", f"-k lint-{EXAMPLE.name}", rewrite=True)}
```

**The pages** that are made of rules and codes are written by a command, too:

```
{_command("tests/pages", rewrite=True)}
```
"""


def _check() -> Iterator[str]:
    assert {"test-room", "lint"} <= _makefile().keys()
    yield f"""\
## 4. Check it: ten minutes

```
make test-room ROOM={_EXAMPLE_ROOM}     # the tests that the room's README names
make lint                             # ruff, mypy --strict, the layers
make test-fast                        # words, links, everything without a server
```

A change of `runtime/` needs the room's tests with servers, too: `make test-room` runs them. The whole suite,
`make test`, is for the pull request.
"""


def _hand_in() -> Iterator[str]:
    assert {"changelog", "changelog-check"} <= _makefile().keys()
    yield f"""\
## 5. Hand it in: five minutes

```
echo '**A new lint rule** finds …' > changelog.d/+lint-{EXAMPLE.name}.added.md
make changelog                        # how a release will show it
git commit -am 'Lint: {EXAMPLE.description}'
```

One topic a commit; the message says what and why. The pull request has a check list. Then these jobs run, and a
reviewer reads golden files as closely as code:
"""
    for name, job in yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))["jobs"].items():
        commands = [line for step in job["steps"] if "run" in step for line in step["run"].splitlines()]
        yield f"* `{name}`: {', '.join(f'`{command}`' for command in commands)}"
    yield ""


def _targets() -> Iterator[str]:
    yield "## All targets of the Makefile"
    yield ""
    yield "| command | what it does |"
    yield "|---|---|"
    for name, text in _makefile().items():
        yield f"| `make {name}` | {_cell(text)} |"


def _makefile() -> dict[str, str]:
    """By target, what the comment behind it says, in the file's order."""
    lines = re.findall(
        r"^([a-z-]+):[^#\n]*(?:## (.*))?$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
    )
    return {name: text or "what is missing is installed; every other target begins with it" for name, text in lines}


def _source(rule: Rule) -> str:
    text = inspect.getsource(import_module(rule.check.__module__))
    check = inspect.getsource(rule.check).rstrip()
    made = re.search(rf"^{_constant(rule)} = Rule\((?:.|\n)*?^\)$|^{_constant(rule)} = Rule\(.*\)$", text, re.MULTILINE)
    assert made is not None
    return f"{check}\n\n\n{made[0]}"


def _constant(rule: Rule) -> str:
    module = import_module(rule.check.__module__)
    return next(name for name, value in vars(module).items() if value is rule)


def _places(rule: Rule) -> Iterator[tuple[str, str]]:
    """Files beside the rule's own that name its code, with what they have it for. A new file is a KeyError here."""
    meanings = {
        "specs/findings/codes": "the explanation, one block; `shardwright explain` prints it",
        "specs/findings/diagnostics.py": "the list of advice, which may be silenced",
        f"tests/cases/invalid/lint-{rule.name}": "the case",
    }
    for folder in ("specs", "compiler", "runtime"):
        for file in sorted((ROOT / folder).rglob("*")):
            named = file.suffix in (".py", ".md") and rule.code in file.read_text(encoding="utf-8")
            if named and file != Path(inspect.getfile(rule.check)):
                place = file.relative_to(ROOT)
                yield str(place), meanings[str(place)] if str(place) in meanings else meanings[str(place.parent)]
    case = f"tests/cases/invalid/lint-{rule.name}"
    assert (ROOT / case).is_dir() and (ROOT / "tests" / "cases" / "valid" / f"lint-{rule.name}").is_dir()
    yield case, meanings[case] + f"; `tests/cases/valid/lint-{rule.name}` is the near miss"


def _command(path: str, *options: str, rewrite: bool) -> str:
    assert (ROOT / path).exists(), path
    return " ".join(["SHARDWRIGHT_REWRITE=1"] * rewrite + [".venv/bin/pytest", path, *options])


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
