"""What tables say about sharding rules and target databases."""

from __future__ import annotations

from shardwright.specs.findings.diagnostics import Diagnostic, Note
from shardwright.specs.findings.wording import did_you_mean
from shardwright.specs.spec.model import Broadcast, Sharded, Single, Spec
from shardwright.specs.spec.table_references import Found


def rules_are_whole(spec: Spec) -> Found:
    """A rule has either a database expression or an algorithm, and a table expression where tables are split."""
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
        elif rule.algorithm is None and rule.table is None and len(spec.suffixes_of(rule)) > 1:
            whose = "the target's" if rule.tables_suffix is None else "its"
            message = f"rule '{rule.name}' has no table expression, but {whose} tables are split"
            place = (*(rule.path if rule.tables_suffix is not None else ("target",)), "tables_suffix")
            note = Note("tables_suffix stands at", spec.span_of(place))
            yield (*rule.path, "table"), Diagnostic("SW5006", message, span, notes=(note,))
        if rule.options and rule.algorithm is None:
            place = (*rule.path, "options")
            message = f"rule '{rule.name}' has options but no algorithm that could read them"
            yield place, Diagnostic("SW5010", message, spec.key_span_of(place))


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
                    note = Note("the rule stands at", spec.key_span_of(spec.sharding[name].path))
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
                note = Note("target databases stand at", spec.span_of(("target", "databases")))
                yield path, Diagnostic("SW2002", message, spec.span_of(path), hint=hint, notes=(note,))
            case _:
                pass


def copies_name_their_source(spec: Spec) -> Found:
    """A broadcast table comes from one source database, which is named when there are several; a named one exists."""
    known = spec.source.databases
    note = Note("source databases stand at", spec.span_of(("source", "databases")))
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
