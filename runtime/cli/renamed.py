"""Which verbs and options had another name in the last release? The old name is taken for one release, with a warning.
Help and completion do not know it, since words are replaced before the parser sees them.

Runs in the process of the command; writes warnings to stderr.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

VERBS: Mapping[str, str] = {"schema": "jsonschema", "prepare": "spark-cache"}
OPTIONS: Mapping[str, Mapping[str, str]] = {
    "verify": {"--patience": "--timeout", "--state": "--checkpoint"},
    "repair": {"--patience": "--timeout", "--at-most": "--max-rows"},
    "ddl": {"--strays": "--drift"},
    "dry-run": {"--rehearsals": "--histories"},
}
"""Verb -> old option -> new option."""


def current_words(words: Sequence[str], *, verb_at: int | None) -> list[str]:
    """The words with the names of this release. `verb_at` is where the verb is, if there is one."""
    made = list(words)
    if verb_at is None:
        return made
    if made[verb_at] in VERBS:
        made[verb_at] = _warned(made[verb_at], VERBS[made[verb_at]], words)
    options = OPTIONS.get(made[verb_at], {})
    end = made.index("--") if "--" in made else len(made)
    for place in range(verb_at + 1, end):
        name, equals, value = made[place].partition("=")
        if name in options:
            made[place] = _warned(name, options[name], words) + equals + value
    return made


def _warned(old: str, new: str, words: Sequence[str]) -> str:
    if not {"-q", "--quiet"} & set(words):
        print(f"warning: '{old}' is now called '{new}'; the next release does not know '{old}'", file=sys.stderr)
    return new
