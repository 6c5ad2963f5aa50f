"""Does the spec agree with itself? What one part says about another: rules and the options of their algorithms,
databases, names, keys, paths.
"""

from __future__ import annotations

import ntpath
import posixpath
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from shardwright.specs.findings.diagnostics import Diagnostic, Findings, Note, Path
from shardwright.specs.findings.wording import did_you_mean, either, quote
from shardwright.specs.shape.shape import lies_within
from shardwright.specs.spec.id_references import id_databases_exist, ids_are_distinct, ids_have_a_table
from shardwright.specs.spec.ledger_references import ledgers_are_separate, ledgers_can_be_named_so
from shardwright.specs.spec.model import Broadcast, Sharded, ShardingRule, Single, Spec
from shardwright.specs.spec.table_references import (
    Found,
    columns_agree,
    delays_are_given,
    entries_name_tables,
    exceptions_have_a_pattern,
    groups_are_separate,
    key_lists_have_no_repeats,
    losses_have_reasons,
    names_fit,
    parents_exist,
    parents_have_a_place,
    patterns_are_pinned,
    physical_names_are_distinct,
    tables_are_distinct,
)
from shardwright.specs.spec.writer_references import conflicts_have_two_writers, writers_have_buckets


@dataclass(frozen=True, slots=True)
class AlgorithmOptions:
    """`required` are groups: one option of each group must be given, and only one."""

    optional: tuple[str, ...] = ()
    required: tuple[tuple[str, ...], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return (*(name for group in self.required for name in group), *self.optional)


_PLACED = ("places", "tables_by")

ALGORITHM_OPTIONS: Mapping[str, AlgorithmOptions] = {
    "mod": AlgorithmOptions(("layout",)),
    "hash_mod": AlgorithmOptions(("layout", "integers", "separator")),
    "crc32_mod": AlgorithmOptions(("layout", "separator")),
    "murmur3_32": AlgorithmOptions(("layout", "seed", "integers", "remainder", "separator")),
    "xxhash64": AlgorithmOptions(("layout", "seed", "integers", "remainder", "separator")),
    "md5_prefix": AlgorithmOptions(("layout", "digits", "separator")),
    "range": AlgorithmOptions(_PLACED, (("boundaries",),)),
    "interval": AlgorithmOptions(("outside", *_PLACED), (("start",), ("step",))),
    "lookup": AlgorithmOptions(("tables_by",), (("map", "file"), ("default",))),
    "weighted": AlgorithmOptions(("buckets", "hash", "tables_by", "separator"), (("weights", "ranges"),)),
}


def options_fit_the_algorithm(spec: Spec) -> Found:
    """Every option is one that the rule's algorithm reads, and none is missing."""
    for rule in (*spec.sharding.values(), *spec.source.sharding.values()):
        accepted = ALGORITHM_OPTIONS.get(rule.algorithm or "")
        if accepted is None:
            continue
        yield from _foreign(spec, rule, accepted)
        yield from _missing(spec, rule, accepted)


def _foreign(spec: Spec, rule: ShardingRule, accepted: AlgorithmOptions) -> Found:
    known = {name for options in ALGORITHM_OPTIONS.values() for name in options.names}
    for name in rule.options:
        if name in accepted.names or name not in known:  # an unknown key is the shape check's finding
            continue
        path = (*rule.path, "options", name)
        message = f"algorithm {rule.algorithm} reads no option {quote(name)}"
        hint = did_you_mean(name, accepted.names) or f"it reads {', '.join(accepted.names)}"
        yield path, Diagnostic("SW5012", message, spec.key_span_of(path), hint=hint)


def _missing(spec: Spec, rule: ShardingRule, accepted: AlgorithmOptions) -> Found:
    for group in accepted.required:
        given = [name for name in group if name in rule.options]
        path = (*rule.path, "options")
        if not given:
            wanted = either([quote(name) for name in group])
            message = f"algorithm {rule.algorithm} needs the option {wanted}"
            place = path if path in spec.key_spans else (*rule.path, "algorithm")
            yield place, Diagnostic("SW5013", message, spec.key_span_of(place))
        elif len(given) > 1:
            message = f"the options {' and '.join(map(quote, given))} of {rule.algorithm} exclude each other"
            yield (*path, given[1]), Diagnostic("SW5013", message, spec.key_span_of((*path, given[1])))


def rules_are_whole(spec: Spec) -> Found:
    """A rule has either a database expression or an algorithm, and a table expression where tables are split."""
    for rule in spec.sharding.values():
        span = spec.key_span_of(rule.path)
        if rule.name in ("broadcast", "single"):
            yield rule.path, Diagnostic("SW2005", f"a rule cannot be called '{rule.name}'", span)
        if rule.algorithm is not None and (rule.database is not None or rule.table is not None):
            message = f"rule '{rule.name}' has both an algorithm and expressions: only one is allowed here"
            yield (*rule.path, "algorithm"), Diagnostic("SW1110", message, spec.key_span_of((*rule.path, "algorithm")))
        elif rule.algorithm is None and rule.database is None:
            message = f"rule '{rule.name}' needs either a database expression or an algorithm"
            yield (*rule.path, "database"), Diagnostic("SW1110", message, span)
        elif rule.algorithm is None and rule.table is None and len(spec.suffixes_of(rule)) > 1:
            whose = "the target's" if rule.tables_suffix is None else "its"
            message = f"rule '{rule.name}' has no table expression, but {whose} tables are split"
            place = (*(rule.path if rule.tables_suffix is not None else ("target",)), "tables_suffix")
            note = Note("tables_suffix is at", spec.span_of(place))
            yield (*rule.path, "table"), Diagnostic("SW5006", message, span, notes=(note,))
        if rule.options and rule.algorithm is None:
            place = (*rule.path, "options")
            message = f"rule '{rule.name}' has options but no algorithm that could read them"
            yield place, Diagnostic("SW5010", message, spec.key_span_of(place))


def source_rules_are_whole(spec: Spec) -> Found:
    """A rule of the source has either expressions or an algorithm."""
    for rule in spec.source.sharding.values():
        if rule.algorithm is not None and (rule.database is not None or rule.table is not None):
            message = f"rule '{rule.name}' has both an algorithm and expressions: only one is allowed here"
            path: Path = (*rule.path, "algorithm")
            yield path, Diagnostic("SW1110", message, spec.key_span_of(path))
        elif rule.algorithm is None and rule.database is None and rule.table is None:
            message = f"rule '{rule.name}' needs expressions (database, table) or an algorithm"
            yield rule.path, Diagnostic("SW1110", message, spec.key_span_of(rule.path))
        if rule.options and rule.algorithm is None:
            path = (*rule.path, "options")
            message = f"rule '{rule.name}' has options but no algorithm that could read them"
            yield path, Diagnostic("SW5010", message, spec.key_span_of(path))


def source_rules_exist(spec: Spec) -> Found:
    """What a table names under `backward.sharding` is a rule of the source."""
    for table in spec.tables:
        name = table.backward.rule
        if name is not None and name not in spec.source.sharding:
            path: Path = (*table.backward.path, "sharding")
            known = tuple(spec.source.sharding)
            hint = did_you_mean(name, known) or f"known: {', '.join(known) or 'none; write it under source.sharding'}"
            message = f"source.sharding has no rule '{name}'"
            yield path, Diagnostic("SW2001", message, spec.span_of(path), hint=hint)


def copies_are_of_broadcast_tables(spec: Spec) -> Found:
    """Every source database has a copy only of what is copied whole."""
    for table in spec.tables:
        if table.backward.every_copy and not isinstance(table.distribution, Broadcast):
            path: Path = (*table.backward.path, "copies")
            message = f"'{table.table}' is no broadcast table: its rows come back to where they are from"
            yield path, Diagnostic("SW2031", message, spec.span_of(path), hint="leave out 'copies'")


def rules_exist(spec: Spec) -> Found:
    """Every sharded table names a rule of the spec."""
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


def own_keys_fit_the_rule(spec: Spec) -> Found:
    """A table's own shard key replaces the rule's columns one for one."""
    for table in spec.tables:
        match table.distribution:
            case Sharded(rule=name, shard_key=tuple(own)) if name in spec.sharding:
                asked = spec.sharding[name].shard_key
                path = (*table.path, "sharding", "shard_key")
                if asked and own and len(own) != len(asked):
                    message = f"rule '{name}' has {len(asked)} shard key columns, this table names {len(own)}"
                    note = Note("the rule is at", spec.key_span_of(spec.sharding[name].path))
                    yield path, Diagnostic("SW2006", message, spec.span_of(path), notes=(note,))
            case _:
                pass


def single_databases_exist(spec: Spec) -> Found:
    """A single table's database is one of the target's."""
    known = frozenset(spec.target.databases)
    for table in spec.tables:
        match table.distribution:
            case Single(database) if known and database not in known:
                path = (*table.path, "sharding", "single")
                message = f"'{database}' is not a target database"
                hint = did_you_mean(database, spec.target.databases[:1000])
                note = Note("target databases are at", spec.span_of(("target", "databases")))
                yield path, Diagnostic("SW2002", message, spec.span_of(path), hint=hint, notes=(note,))
            case _:
                pass


def copies_name_their_source(spec: Spec) -> Found:
    """A broadcast table comes from one source database, which is named when there are several; a named one exists."""
    known = spec.source.databases
    note = Note("source databases are at", spec.span_of(("source", "databases")))
    for table in spec.tables:
        path, distribution = (*table.path, "sharding"), table.distribution
        if isinstance(distribution, Sharded):
            continue
        name = distribution.source
        if name is not None and known and name not in known:
            place = (*path, "broadcast", "from") if isinstance(distribution, Broadcast) else (*path, "from")
            hint = did_you_mean(name, known[:1000])
            message = f"'{name}' is not a source database"
            yield place, Diagnostic("SW2015", message, spec.span_of(place), hint=hint, notes=(note,))
        elif name is None and isinstance(distribution, Broadcast) and len(known) > 1:
            message = f"'{table.table}' is copied to every shard, but from which of {len(known)} source databases?"
            hint = f"write {{broadcast: {{from: {known[0]}}}}}"
            yield path, Diagnostic("SW2014", message, spec.span_of(path), hint=hint, notes=(note,))


def check_references(spec: Spec, malformed: frozenset[Path], findings: Findings) -> frozenset[Path]:
    """Report every contradiction within the spec, except at places that are malformed and reported already.

    Returns the paths where something stands that cannot have been meant so.
    """
    faults: set[Path] = set()
    rules_unread = not spec.sharding and any(len(path) <= 1 for path in malformed)
    for check in _CHECKS:
        if rules_unread and check is rules_exist:
            continue
        for path, diagnostic in check(spec):
            if not lies_within(path, malformed):
                findings.items.append(diagnostic)
                if check not in _ABOUT_WHAT_IS_CLEAR:
                    faults.add(path)
    return frozenset(faults)


def _paths_stay_inside(spec: Spec) -> Found:
    places: list[tuple[Path, str | None]] = [(("source", "schema"), spec.source.schema), (("ddl",), spec.ddl)]
    places += spec.rule_files()
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


_CHECKS: tuple[Callable[[Spec], Found], ...] = (
    rules_are_whole,
    options_fit_the_algorithm,
    source_rules_are_whole,
    rules_exist,
    source_rules_exist,
    copies_are_of_broadcast_tables,
    own_keys_fit_the_rule,
    parents_exist,
    parents_have_a_place,
    single_databases_exist,
    copies_name_their_source,
    tables_are_distinct,
    entries_name_tables,
    patterns_are_pinned,
    exceptions_have_a_pattern,
    names_fit,
    physical_names_are_distinct,
    groups_are_separate,
    columns_agree,
    key_lists_have_no_repeats,
    losses_have_reasons,
    delays_are_given,
    ids_have_a_table,
    ids_are_distinct,
    id_databases_exist,
    ledgers_can_be_named_so,
    ledgers_are_separate,
    writers_have_buckets,
    conflicts_have_two_writers,
    _paths_stay_inside,
)

_ABOUT_WHAT_IS_CLEAR: tuple[Callable[[Spec], Found], ...] = (
    source_rules_exist,
    copies_are_of_broadcast_tables,
    exceptions_have_a_pattern,
    physical_names_are_distinct,
    groups_are_separate,
    losses_have_reasons,
    delays_are_given,
    ids_have_a_table,
    ids_are_distinct,
    id_databases_exist,
    ledgers_can_be_named_so,
    ledgers_are_separate,
    writers_have_buckets,
    conflicts_have_two_writers,
)
"""Checks whose findings leave no doubt about what the spec says: whatever depends on it can be checked too."""
