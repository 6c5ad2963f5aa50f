"""What the entries of `tables` say about each other, about their parents and within themselves; and what the specs of
one project say about each other: a migration's name and a target table belong to one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from shardwright.specs.findings.diagnostics import Diagnostic, Note, Path
from shardwright.specs.findings.wording import did_you_mean
from shardwright.specs.spec.model import Sharded, Spec, TableSpec
from shardwright.specs.yaml.topology import MAX_LENGTH

Found = Iterator[tuple[Path, Diagnostic]]
"""Findings, each with the path it is about: dropped when that path is malformed, since all is said about it then."""


def parents_exist(spec: Spec) -> Found:
    """The parent that lends its shard key is a table of the spec."""
    logical = {table.to or table.table for table in spec.tables if not table.is_group}
    for table in spec.tables:
        match table.distribution:
            case Sharded(parent=parent) if parent and not any(each.may_be(parent.parent) for each in spec.tables):
                path = (*table.path, "sharding", "shard_key", "parent")
                message = f"there is no table '{parent.parent}' in this spec"
                hint = did_you_mean(parent.parent, logical)
                yield path, Diagnostic("SW2007", message, spec.span_of(path), hint=hint)
            case _:
                pass


def parents_have_a_place(spec: Spec) -> Found:
    """The parent is another table, sharded by the same rule, through columns of its own or through a parent of its
    own. Parents of parents end at a table with a shard key."""
    tables = {table.to or table.table: table for table in spec.tables}
    for table in spec.tables:
        mine = table.distribution
        if not isinstance(mine, Sharded) or mine.parent is None:
            continue
        parent, path = tables.get(mine.parent.parent), (*table.path, "sharding", "shard_key", "parent")
        if parent is None:
            continue
        name, theirs = mine.parent.parent, parent.distribution
        note = Note("the parent is at", spec.span_of((*parent.path, "table")))
        above = _ancestors(table, tables)
        if (own := table.to or table.table) in above:
            if own == min(above, key=[*tables].index):  # said once of a circle
                through = ", through " + ", ".join(f"'{each}'" for each in above[:-1]) if len(above) > 1 else ""
                hint = "name the table whose row has the shard key"
                message = f"table '{own}' is its own parent{through}"
                yield path, Diagnostic("SW2051", message, spec.span_of(path), hint=hint)
        elif not isinstance(theirs, Sharded) or theirs.rule != mine.rule:
            has = f"is sharded by '{theirs.rule}'" if isinstance(theirs, Sharded) else "is not sharded"
            message = f"parent '{name}' {has}, not by '{mine.rule}'"
            hint = "parent and child rows are co-located only under one rule"
            yield path, Diagnostic("SW2053", message, spec.span_of(path), hint=hint, notes=(note,))


def _ancestors(table: TableSpec, tables: Mapping[str, TableSpec]) -> Sequence[str]:
    """Its parent, the parent of that, and so on, up to where a name comes again."""
    found: list[str] = []
    above: TableSpec | None = table
    while above is not None and isinstance(above.distribution, Sharded) and above.distribution.parent is not None:
        name = above.distribution.parent.parent
        if name in found:
            break
        found.append(name)
        above = tables.get(name)
    return found


_PATTERN_HINTS = {
    "to": "a pattern merges all tables that match into one: name that table; for tables that stay apart write 'each'",
    "expect": "say how many tables become one, so that a silent change of their number is noticed",
}


def tables_are_distinct(spec: Spec) -> Found:
    """No two entries read one source table or write one logical table."""
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
            note = Note("the other entry is at", spec.span_of((*first.path, "table")))
            message = f"two entries write to the table '{table.to or table.table}'"
            hint = "use one entry with a pattern"
            yield path, Diagnostic("SW2004", message, spec.span_of(path), hint=hint, notes=(note,))


def entries_name_tables(spec: Spec) -> Found:
    """An entry has `table` or `each`, and a group's tables keep their names."""
    for table in spec.tables:
        named = [key for key in ("table", "each") if (*table.path, key) in spec.key_spans]
        if len(named) > 1:
            message = f"the entry has both 'table' ('{table.table}') and 'each': write one of them"
            path = (*table.path, "each")
            yield path, Diagnostic("SW2078", message, spec.span_of(path))
        elif table.is_group and table.to is not None:
            message = f"the tables of group '{table.table}' stay apart, and cannot all be called '{table.to}'"
            path = (*table.path, "to")
            hint = "to merge them into one, write 'table' in place of 'each'"
            yield path, Diagnostic("SW2079", message, spec.span_of(path), hint=hint)


def patterns_are_pinned(spec: Spec) -> Found:
    """A pattern says what its matches become and how many there are."""
    for table in spec.tables:
        path = (*table.path, "table")
        if table.is_group:
            continue
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


def names_fit(spec: Spec) -> Found:
    """Physical names are the logical name and the longest suffix."""
    for table in spec.tables:
        logical = table.to or table.table
        path = (*table.path, "to" if table.to else "table")
        if any(mark in (table.to or "") for mark in "*?["):
            yield path, Diagnostic("SW2010", f"'to' names one table, '{table.to}' is a pattern", spec.span_of(path))
        suffix = max(suffixes_of_table(spec, table), key=len)
        if (table.to or not table.is_pattern) and len(logical) <= MAX_LENGTH < len(logical) + len(suffix):
            message = f"table name '{logical}{suffix}' is longer than {MAX_LENGTH} characters"
            yield path, Diagnostic("SW1206", message, spec.span_of(path))


def suffixes_of_table(spec: Spec, table: TableSpec) -> tuple[str, ...]:
    """The suffixes of the table's physical tables on the target."""
    match table.distribution:
        case Sharded(rule=name):
            return spec.suffixes_of(spec.sharding[name]) if name in spec.sharding else spec.target.tables_suffix
        case _:
            return ("",)


def physical_names_are_distinct(spec: Spec) -> Found:
    """No physical table of one logical table is called like one of another: 'orders' + '_00' and 'orders_00'."""
    logical = {table.to or table.table: table for table in spec.tables}
    for name, table in logical.items():
        for length in range(1, len(name)):
            other = logical.get(name[:length])
            if other is None:
                continue
            theirs = (name[:length], suffixes_of_table(spec, other))
            met = common_table((name, suffixes_of_table(spec, table)), theirs)
            if met is not None:
                path = (*table.path, "to" if table.to else "table")
                message = f"'{met}' would be a physical table of both '{name[:length]}' and '{name}'"
                note = Note("the other entry is at", spec.span_of((*other.path, "table")))
                yield path, Diagnostic("SW2016", message, spec.span_of(path), notes=(note,))


def common_table(one: tuple[str, Sequence[str]], other: tuple[str, Sequence[str]]) -> str | None:
    """A physical table that both of two logical tables, each a name with its suffixes, would have."""
    (long, long_suffixes), (short, short_suffixes) = sorted((one, other), key=lambda item: len(item[0]), reverse=True)
    if not long.startswith(short):
        return None
    known = frozenset(short_suffixes)
    return next((long + suffix for suffix in long_suffixes if long[len(short) :] + suffix in known), None)


def exceptions_have_a_pattern(spec: Spec) -> Found:
    """Only a pattern has matches that could be left out."""
    for table in spec.tables:
        path = (*table.path, "except")
        if table.excepted and not table.is_pattern:
            message = f"'{table.table}' is no pattern: there is nothing to leave out"
            yield path, Diagnostic("SW2017", message, spec.key_span_of(path))


def groups_are_separate(spec: Spec) -> Found:
    """A column belongs to one group only, or a change of it would be two events of which neither is whole."""
    for table in spec.tables:
        places: list[tuple[Path, str]] = [
            ((*group.path, "columns", index), name)
            for group in table.groups
            for index, name in enumerate(group.columns)
        ]
        yield from _duplicates(spec, places, "SW2027", "column '{}' is in two groups")


def columns_agree(spec: Spec) -> Found:
    """What is excluded is neither included nor renamed, and no two columns get one name."""
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
        yield from _duplicates(spec, targets, "SW2012", "two columns become '{}'")


def losses_have_reasons(spec: Spec) -> Found:
    """Who accepts a loss says why: the next reviewer was not there."""
    for table in spec.tables:
        for cast in table.columns.cast:
            if cast.accepts_loss and not cast.reason:
                path = (*cast.path, "loss")
                message = f"the loss of column '{cast.name}' is accepted without a reason"
                hint = f"{{type: {cast.type}, loss: accept, reason: why the loss is acceptable}}"
                yield path, Diagnostic("SW2144", message, spec.key_span_of(path), hint=hint)


def key_lists_have_no_repeats(spec: Spec) -> Found:
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
            yield from _duplicates(spec, places, "SW1108", "'{}' is twice in '" + str(path[-1]) + "'")


def _duplicates(spec: Spec, places: Iterable[tuple[Path, str]], code: str, message: str) -> Found:
    first: dict[str, Path] = {}
    for path, name in places:
        known = first.setdefault(name.casefold(), path)
        if known != path:
            note = Note("first written at", spec.span_of(known))
            yield path, Diagnostic(code, message.format(name), spec.span_of(path), notes=(note,))


def delays_are_given(spec: Spec) -> Found:
    """Policy `delay` has a delay, and no other has."""
    for table in spec.tables:
        path: Path = (*table.path, "deletes")
        has_delay = (*path, "delay") in spec.spans
        if table.deletes.policy == "delay" and not has_delay:
            hint = "write {policy: delay, delay: 10m}"
            yield path, Diagnostic("SW6001", "delete policy 'delay' needs a delay", spec.span_of(path), hint=hint)
        elif has_delay and table.deletes.policy != "delay":
            message = f"delete policy '{table.deletes.policy}' has no delay"
            yield path, Diagnostic("SW6002", message, spec.key_span_of((*path, "delay")))


def check_project(specs: Sequence[Spec]) -> Iterator[tuple[Spec, Diagnostic]]:
    """Each finding with the spec it stands in: the later one of the two."""
    for index, spec in enumerate(specs):
        for first in specs[:index]:
            if spec.migration and spec.migration == first.migration:
                note = Note("the other spec's name is at", first.span_of(("migration",)))
                message = f"migration '{spec.migration}' has two specs"
                yield spec, Diagnostic("SW2024", message, spec.span_of(("migration",)), notes=(note,))
            else:
                yield from ((spec, finding) for finding in _common_targets(first, spec))


def _common_targets(first: Spec, second: Spec) -> Iterator[Diagnostic]:
    shared = frozenset(first.target.databases) & frozenset(second.target.databases)
    if not shared:
        return
    known = {table.to or table.table: table for table in first.tables}
    for table in second.tables:
        found = _find_common_target(first, known, second, table)
        if found is not None:
            other, name = found
            database = next(item for item in second.target.databases if item in shared)
            path = (*table.path, "to" if table.to else "table")
            message = f"'{database}.{name}' is a target of the migration '{first.migration}' too"
            note = Note("the other entry is at", first.span_of((*other.path, "table")))
            yield Diagnostic("SW2023", message, second.span_of(path), notes=(note,))


def _find_common_target(
    first: Spec, known: dict[str, TableSpec], second: Spec, table: TableSpec
) -> tuple[TableSpec, str] | None:
    """A table of `first` with a physical table in common, and that one's name. Databases are compared by the caller."""
    logical = table.to or table.table
    candidates = [known[logical[:length]] for length in range(1, len(logical) + 1) if logical[:length] in known]
    candidates += [other for name, other in known.items() if name.startswith(logical) and name != logical]
    for other in candidates:
        theirs = (other.to or other.table, suffixes_of_table(first, other))
        name = common_table((logical, suffixes_of_table(second, table)), theirs)
        if name is not None:
            return other, name
    return None
