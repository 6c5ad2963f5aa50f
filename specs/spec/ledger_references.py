"""Can the databases of the ledgers be what the spec says? Each target database has one of its own, which is neither a
target nor a source, also with the other specs of the project.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from shardwright.specs.findings.diagnostics import Diagnostic, Note, Path
from shardwright.specs.spec.model import TARGET_DATABASE, Spec
from shardwright.specs.spec.table_references import Found
from shardwright.specs.yaml.topology import TopologyFault, expand

PATH: Path = ("ledger", "database")
_OF_THE_WAY_BACK = "_shardwright_"
"""How the ledger's database beside each source database begins."""
_EXAMPLE = f'write a pattern, as "shardwright_{TARGET_DATABASE}": {TARGET_DATABASE} is the target database'


def ledgers_can_be_named_so(spec: Spec) -> Found:
    """The pattern gives a name for each target database."""
    for name in dict.fromkeys(spec.ledgers):
        if "{" in name or "}" in name:
            message = f"'{spec.ledger}' is no pattern of databases: only {TARGET_DATABASE} is known"
            yield PATH, Diagnostic("SW2160", message, spec.span_of(PATH), hint=_EXAMPLE)
            return
        try:
            expand(name)
        except TopologyFault as fault:
            yield PATH, Diagnostic("SW2160", f"the ledger's {fault.message}", spec.span_of(PATH), hint=_EXAMPLE)
            return


def ledgers_are_separate(spec: Spec) -> Found:
    """Each shard has a ledger of its own, where no rows are. Names are compared as a server does that ignores letter
    case."""
    taken: dict[str, str] = {}
    if any("{" in name for name in spec.ledgers):
        return  # no pattern
    for target, name in zip(spec.target.databases, spec.ledgers, strict=False):
        other = taken.setdefault(name.casefold(), target)
        if other is not target:
            message = f"'{other}' and '{target}' would share one ledger, in database '{name}'"
            yield PATH, Diagnostic("SW2163", message, spec.span_of(PATH), hint=_EXAMPLE)
            return
    for whose, databases in (("target", spec.target.databases), ("source", spec.source.databases)):
        if meeting := next((name for name in databases if name.casefold() in taken), None):
            note = Note(f"{whose} databases are at", spec.span_of((whose, "databases")))
            message = f"'{meeting}' is a {whose} database: no ledger may be there"
            yield PATH, Diagnostic("SW2164", message, spec.span_of(PATH), hint=_EXAMPLE, notes=(note,))
            return
    if any(name.startswith(_OF_THE_WAY_BACK) for name in taken):
        message = f"databases that begin with '{_OF_THE_WAY_BACK}' have the ledgers of the way back"
        yield PATH, Diagnostic("SW2164", message, spec.span_of(PATH), hint=_EXAMPLE)


def ledgers_meet_no_other(specs: Sequence[Spec]) -> Iterator[tuple[Spec, Diagnostic]]:
    """Of the specs of one project: each finding with the spec that it is about, the later one of two."""
    for first, second in combinations(specs, 2):
        sound = not any(spec.faults.touch("ledger") or spec.faults.touch("target") for spec in (first, second))
        if sound and (first.ledgers or second.ledgers):
            yield from ((second, finding) for finding in _ledger_conflicts(first, second))


def _ledger_conflicts(first: Spec, second: Spec) -> Iterator[Diagnostic]:
    theirs, ours = _ledger_of(first), _ledger_of(second)
    place = PATH if second.ledger is not None else ("target", "databases")
    note = Note(f"the spec of '{first.migration}'", first.span_of(PATH if first.ledger else ("target", "databases")))
    for target, ledger in ours.items():
        if theirs.get(target, ledger) != ledger:
            message = f"migration '{first.migration}' has the ledger of '{target}' in database '{theirs[target]}'"
            hint = "two migrations on the same databases have one ledger in each: write the same `ledger` in both specs"
            yield Diagnostic("SW2165", message, second.span_of(place), hint=hint, notes=(note,))
            return
    for one, other in ((first, second), (second, first)):
        used = {name.casefold() for name in (*one.target.databases, *one.source.databases)}
        used |= {name.casefold() for target, name in _ledger_of(one).items() if target not in _ledger_of(other)}
        if meeting := next((name for name in other.ledgers if name.casefold() in used), None):
            message = (
                f"database '{meeting}' has rows or a ledger of another shard, beside migration '{first.migration}'"
            )
            yield Diagnostic("SW2165", message, second.span_of(place), hint=_EXAMPLE, notes=(note,))
            return


def _ledger_of(spec: Spec) -> dict[str, str]:
    return dict(zip(spec.target.databases, spec.ledgers or spec.target.databases, strict=True))
