"""Which verbs and options had another name in the last release, or did something then? The old word is taken for one
release, with a warning. Help and completion do not know it, since words are replaced before the parser sees them.

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
GONE: Mapping[str, frozenset[str]] = {"ddl": frozenset({"--apart"})}
"""Verb -> options without a value that have no effect any more."""


def current_words(words: Sequence[str], *, verb_at: int | None) -> list[str]:
    """The words with the names of this release. `verb_at` is where the verb is, if there is one."""
    made = list(words)
    if verb_at is None:
        return made
    if made[verb_at] in VERBS:
        made[verb_at] = _warned(made[verb_at], VERBS[made[verb_at]], words)
    options, gone = OPTIONS.get(made[verb_at], {}), GONE.get(made[verb_at], frozenset())
    end = made.index("--") if "--" in made else len(made)
    for name in sorted(gone.intersection(made[verb_at + 1 : end])):
        _warn(f"'{name}' has no effect any more; the next release does not know it", words)
    made[verb_at + 1 : end] = kept = [word for word in made[verb_at + 1 : end] if word not in gone]
    end = verb_at + 1 + len(kept)
    for place in range(verb_at + 1, end):
        name, equals, value = made[place].partition("=")
        if name in options:
            made[place] = _warned(name, options[name], words) + equals + value
    return made


def _warned(old: str, new: str, words: Sequence[str]) -> str:
    _warn(f"'{old}' is now called '{new}'; the next release does not know '{old}'", words)
    return new


def _warn(text: str, words: Sequence[str]) -> None:
    if not {"-q", "--quiet"} & set(words):
        print(f"warning: {text}", file=sys.stderr)
