"""What a DDL change leaves behind, by which a live table shows whether the change took effect (hazard E18).

An ALTER TABLE takes effect as a whole or not at all, so any one clause with a visible effect decides for all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from sqlglot import exp

from shardwright.compiler.ddl.alter.clause import Effect, Named
from shardwright.compiler.ddl.alter.read import parse_alter
from shardwright.compiler.ddl.shape.rewrite import SUFFIX
from shardwright.compiler.sql.mysql_parser import parse_sql
from shardwright.compiler.sql.sql_text import to_sql


def effects_in(sql: str) -> tuple[Effect, ...]:
    """Of each clause for itself, in their order: what is dropped and added again is there twice."""
    alter = parse_alter(sql)
    return () if alter is None else tuple(alter.effects())


def effects_of(sql: str) -> tuple[Effect, ...]:
    """The visible effects of a change for one physical table. Empty when it leaves no name behind (MODIFY, SET
    DEFAULT): such a change may simply be run again."""
    effects = sorted(effects_in(sql), key=lambda effect: effect.present)
    gone = {effect.kind_and_name for effect in effects if not effect.present}
    found: dict[Named, Effect] = {}
    for effect in effects:
        again = effect.present and effect.kind_and_name in gone
        found[effect.kind_and_name] = replace(effect, replaces=True, if_absent=False) if again else effect
    # A column dropped and added under the same name does not show which of the two the table has.
    return tuple(effect for effect in found.values() if effect.kind != "column" or not effect.replaces)


def additions_of(template: str) -> frozenset[Named]:
    """What a change leaves on the table, without the suffix."""
    effects = (effect for effect in effects_of(template) if effect.present)
    return frozenset((effect.kind, effect.name.lower().removesuffix(SUFFIX)) for effect in effects)


def changes_of(template: str) -> frozenset[Named]:
    """What a change that catches up brings about, without the suffix. Empty when the table's comment is part of it."""
    alter = parse_alter(template)
    if alter is None or alter.tree.find(exp.SchemaCommentProperty):
        return frozenset()
    names = (named for clause in alter.clauses for named in clause.names())
    return frozenset((kind, name.removesuffix(SUFFIX)) for kind, name in names)


def without_indexes(sql: str, exists: Callable[[Effect], bool]) -> str | None:
    """The ALTER TABLE without its clauses on indexes whose effect `exists` already, and without conditions; None when
    nothing is left of it. What is dropped and made again under its name stays."""
    alter = parse_alter(sql)
    if alter is None:
        return sql
    times = Counter(effect.kind_and_name for effect in alter.effects())

    def is_done(effects: list[Effect]) -> bool:
        alone = all(effect.kind == "index" and times[effect.kind_and_name] == 1 for effect in effects)
        return bool(effects) and alone and all(map(exists, effects))

    left = [clause for clause in alter.clauses if not is_done(list(clause.effects()))]
    if len(left) == len(alter.clauses) and not any(clause.is_conditional for clause in left):
        return sql
    if all(clause.is_option for clause in left):
        return None
    return to_sql(alter.with_clauses(left).unconditional().tree, "mysql")


def tables_after(sql: str) -> dict[str, bool]:
    """Table in lower case -> whether it is there after a statement about a whole table; empty for every other one, and
    for TRUNCATE."""
    tree = parse_sql(sql)
    match tree:
        case exp.Create() if tree.args.get("kind") == "TABLE":
            return {tree.this.this.name.lower(): True}
        case exp.Drop() if tree.args.get("kind") == "TABLE":
            return {tree.args["tables"][0].name.lower(): False}
        case exp.Alter() if (renamed := tree.find(exp.AlterRename)) is not None:
            return {tree.this.name.lower(): False, renamed.this.name.lower(): True}
        case _:
            return {}
