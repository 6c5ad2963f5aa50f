"""Does the spec agree with itself? What one part says about another: rules, databases, names, keys."""

from __future__ import annotations

import ntpath
import posixpath
from collections.abc import Callable, Iterable, Iterator

from shardwright.specs.diagnostics import Diagnostic, Findings, Note
from shardwright.specs.model import Sharded, Single, Spec, TableSpec
from shardwright.specs.shape import lies_within
from shardwright.specs.span import Path
from shardwright.specs.topology import MAX_LENGTH
from shardwright.specs.wording import did_you_mean

_Found = Iterator[tuple[Path, Diagnostic]]


def check_references(spec: Spec, malformed: frozenset[Path], findings: Findings) -> None:
    """Report every contradiction within the spec, except at places that are malformed and reported already."""
    rules_unread = not spec.sharding and any(len(path) <= 1 for path in malformed)
    for check in _CHECKS:
        if rules_unread and check is _rules_exist:
            continue
        for path, diagnostic in check(spec):
            if not lies_within(path, malformed):
                findings.items.append(diagnostic)


def _rules_are_whole(spec: Spec) -> _Found:
    for rule in spec.sharding.values():
        span = spec.key_span_of(rule.path)
        if rule.name in ("broadcast", "single"):
            yield rule.path, Diagnostic("SW2005", f"a rule cannot be called '{rule.name}'", span)
        if rule.algorithm is not None and (rule.database is not None or rule.table is not None):
            message = f"rule '{rule.name}' has both an algorithm and expressions: only one may stand here"
            yield (*rule.path, "algorithm"), Diagnostic("SW1110", message, spec.key_span_of((*rule.path, "algorithm")))
        elif rule.algorithm is None and rule.database is None:
            message = f"rule '{rule.name}' needs either a database expression or an algorithm"
            yield (*rule.path, "database"), Diagnostic("SW1110", message, span)
        elif rule.algorithm is None and rule.table is None and len(spec.target.tables_suffix) > 1:
            message = f"rule '{rule.name}' has no table expression, but the target's tables are split"
            note = Note("tables_suffix stands at", spec.span_of(("target", "tables_suffix")))
            yield (*rule.path, "table"), Diagnostic("SW5006", message, span, notes=(note,))
        if rule.options and rule.algorithm is None:
            place = (*rule.path, "options")
            message = f"rule '{rule.name}' has options but no algorithm that could read them"
            yield place, Diagnostic("SW5010", message, spec.key_span_of(place))


def _rules_exist(spec: Spec) -> _Found:
    for table in spec.tables:
        if not isinstance(table.distribution, Sharded) or table.distribution.rule in spec.sharding:
            continue
        name = table.distribution.rule
        path = (*table.path, "sharding")
        path = (*path, "rule") if (*path, "rule") in spec.spans else path
        if name == "single":
            message, hint = "'single' needs the name of a database", f"write {{single: {_first_database(spec)}}}"
            yield path, Diagnostic("SW2001", message, spec.span_of(path), hint=hint)
            continue
        known = [*spec.sharding, "broadcast"]
        hint = did_you_mean(name, known) or f"known: {', '.join(known)}"
        yield path, Diagnostic("SW2001", f"there is no sharding rule '{name}'", spec.span_of(path), hint=hint)


def _first_database(spec: Spec) -> str:
    return spec.target.databases[0] if spec.target.databases else "DATABASE"


def _own_keys_fit_the_rule(spec: Spec) -> _Found:
    for table in spec.tables:
        match table.distribution:
            case Sharded(rule=name, shard_key=tuple(own)) if name in spec.sharding:
                asked = spec.sharding[name].shard_key
                path = (*table.path, "sharding", "shard_key")
                if asked and own and len(own) != len(asked):
                    message = f"rule '{name}' has {len(asked)} shard key columns, this table names {len(own)}"
                    note = Note("the rule stands at", spec.key_span_of(spec.sharding[name].path))
                    yield path, Diagnostic("SW2006", message, spec.span_of(path), notes=(note,))
            case _:
                pass


def _parents_exist(spec: Spec) -> _Found:
    logical = {table.to or table.table for table in spec.tables}
    for table in spec.tables:
        match table.distribution:
            case Sharded(parent=parent) if parent is not None and parent.parent not in logical:
                path = (*table.path, "sharding", "shard_key", "parent")
                message = f"there is no table '{parent.parent}' in this spec"
                hint = did_you_mean(parent.parent, logical)
                yield path, Diagnostic("SW2007", message, spec.span_of(path), hint=hint)
            case _:
                pass


def _single_databases_exist(spec: Spec) -> _Found:
    known = frozenset(spec.target.databases)
    for table in spec.tables:
        match table.distribution:
            case Single(database) if known and database not in known:
                path = (*table.path, "sharding", "single")
                message = f"'{database}' is not a target database"
                hint = did_you_mean(database, spec.target.databases[:1000])
                note = Note("target databases stand at", spec.span_of(("target", "databases")))
                yield path, Diagnostic("SW2002", message, spec.span_of(path), hint=hint, notes=(note,))
            case _:
                pass


def _tables_are_distinct(spec: Spec) -> _Found:
    sources: dict[str, TableSpec] = {}
    targets: dict[str, TableSpec] = {}
    for table in spec.tables:
        path = (*table.path, "table")
        # Compared without letter case: servers differ in whether table names do (lower_case_table_names).
        source, target = table.table.casefold(), (table.to or table.table).casefold()
        if source and (first := sources.setdefault(source, table)) is not table:
            note = Note("first written at", spec.span_of((*first.path, "table")))
            message = f"table '{table.table}' has two entries"
            yield path, Diagnostic("SW2003", message, spec.span_of(path), notes=(note,))
        elif target and (first := targets.setdefault(target, table)) is not table:
            path = (*table.path, "to") if table.to else path
            note = Note("the other entry stands at", spec.span_of((*first.path, "table")))
            message = f"two entries write to the table '{table.to or table.table}'"
            hint = "use one entry with a pattern"
            yield path, Diagnostic("SW2004", message, spec.span_of(path), hint=hint, notes=(note,))


def _patterns_are_pinned(spec: Spec) -> _Found:
    for table in spec.tables:
        path = (*table.path, "table")
        if table.is_pattern:
            for key, value in (("to", table.to), ("expect", table.expect)):
                if value is None:
                    message = f"pattern '{table.table}' needs '{key}'"
                    yield (
                        (*table.path, key),
                        Diagnostic("SW2008", message, spec.span_of(path), hint=_PATTERN_HINTS[key]),
                    )
        elif table.expect not in (None, 1):
            place = (*table.path, "expect")
            message = f"'{table.table}' is no pattern and matches one table, not {table.expect}"
            yield place, Diagnostic("SW2009", message, spec.span_of(place))


_PATTERN_HINTS = {
    "to": "name the logical table that the matches become",
    "expect": "say how many tables match, so that a silent change of their number is noticed",
}


def _names_fit(spec: Spec) -> _Found:
    """Physical names are the logical name and the longest suffix."""
    longest = max(spec.target.tables_suffix, key=len)
    for table in spec.tables:
        logical = table.to or table.table
        path = (*table.path, "to" if table.to else "table")
        if any(mark in (table.to or "") for mark in "*?["):
            yield path, Diagnostic("SW2010", f"'to' names one table, '{table.to}' is a pattern", spec.span_of(path))
        suffix = longest if isinstance(table.distribution, Sharded) else ""
        if not table.is_pattern and len(logical) <= MAX_LENGTH < len(logical) + len(suffix):
            message = f"table name '{logical}{suffix}' is longer than {MAX_LENGTH} characters"
            yield path, Diagnostic("SW1206", message, spec.span_of(path))


def _columns_agree(spec: Spec) -> _Found:
    for table in spec.tables:
        choices, path = table.columns, (*table.path, "columns")
        excluded = {name.casefold() for name in choices.exclude}
        for index, name in enumerate(choices.include or ()):
            if name.casefold() in excluded:
                place: Path = (*path, "include", index)
                message = f"column '{name}' is both included and excluded"
                yield place, Diagnostic("SW2011", message, spec.span_of(place))
        for name in choices.rename:
            if name.casefold() in excluded:
                place = (*path, "rename", name)
                message = f"column '{name}' is both renamed and excluded"
                yield place, Diagnostic("SW2011", message, spec.key_span_of(place))
        targets = [((*path, "rename", name), to) for name, to in choices.rename.items()]
        targets += [(column.path, column.name) for column in choices.derive]
        yield from _repeated(spec, targets, "SW2012", "two columns become '{}'")


def _key_lists_have_no_repeats(spec: Spec) -> _Found:
    """Column names know no letter case; exact repeats are a matter of shape and reported there."""
    lists: list[tuple[Path, tuple[str, ...]]] = [
        ((*rule.path, "shard_key"), rule.shard_key) for rule in spec.sharding.values()
    ]
    for table in spec.tables:
        lists.append(((*table.path, "key"), table.key or ()))
        match table.distribution:
            case Sharded(shard_key=tuple(own)):
                lists.append(((*table.path, "sharding", "shard_key"), own))
            case _:
                pass
    for path, names in lists:
        if len(set(names)) == len(names):
            places: list[tuple[Path, str]] = [((*path, index), name) for index, name in enumerate(names)]
            yield from _repeated(spec, places, "SW1108", "'{}' stands twice in '" + str(path[-1]) + "'")


def _repeated(spec: Spec, places: Iterable[tuple[Path, str]], code: str, message: str) -> _Found:
    first: dict[str, Path] = {}
    for path, name in places:
        known = first.setdefault(name.casefold(), path)
        if known != path:
            note = Note("first written at", spec.span_of(known))
            yield path, Diagnostic(code, message.format(name), spec.span_of(path), notes=(note,))


def _delays_are_given(spec: Spec) -> _Found:
    for table in spec.tables:
        path: Path = (*table.path, "deletes")
        has_delay = (*path, "delay") in spec.spans
        if table.deletes.policy == "delay" and not has_delay:
            hint = "write {policy: delay, delay: 10m}"
            yield path, Diagnostic("SW6001", "delete policy 'delay' needs a delay", spec.span_of(path), hint=hint)
        elif has_delay and table.deletes.policy != "delay":
            message = f"delete policy '{table.deletes.policy}' has no delay"
            yield path, Diagnostic("SW6002", message, spec.key_span_of((*path, "delay")))


def _paths_stay_inside(spec: Spec) -> _Found:
    places: tuple[tuple[Path, str | None], ...] = ((("source", "schema"), spec.source.schema), (("ddl",), spec.ddl))
    for path, value in places:
        if value and not stays_inside(value):
            message = f"path '{value}' leads out of the project folder"
            hint = "write it relative to the folder that holds specs/"
            yield path, Diagnostic("SW2013", message, spec.span_of(path), hint=hint)


def stays_inside(path: str) -> bool:
    """Whether a relative path stays below the folder it starts from, by its text alone."""
    if "\\" in path or posixpath.isabs(path) or ntpath.splitdrive(path)[0] or not path.isprintable():
        return False
    return posixpath.normpath(path).split("/")[0] != ".."


_CHECKS: tuple[Callable[[Spec], _Found], ...] = (
    _rules_are_whole,
    _rules_exist,
    _own_keys_fit_the_rule,
    _parents_exist,
    _single_databases_exist,
    _tables_are_distinct,
    _patterns_are_pinned,
    _names_fit,
    _columns_agree,
    _key_lists_have_no_repeats,
    _delays_are_given,
    _paths_stay_inside,
)
