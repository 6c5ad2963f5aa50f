"""Unique keys with parts that are expressions, MySQL's `UNIQUE ((lower(email)))`: text in the plan, nodes in
statements. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from sqlglot import exp
from sqlglot.errors import SqlglotError

from shardwright.compiler.plan.catalogue import EXPRESSION, FunctionalKey, PrefixKey, UniqueKey
from shardwright.compiler.sql.mysql_parser import parse_sql
from shardwright.compiler.sql.named_columns import columns_in, key_parts
from shardwright.compiler.sql.sql_tokens import PARSER_FAULTS

Key = TypeVar("Key", bound=UniqueKey)


def functional_key(name: str, parts: Sequence[exp.Expr]) -> FunctionalKey | None:
    """The key of a CREATE TABLE that has these parts. None where one of them cannot be kept as text."""
    plain = [part.this if isinstance(part, exp.Ordered) else part for part in parts]
    computed = [part for part in plain if isinstance(part, exp.Paren)]
    columns = key_parts(part for part in plain if not isinstance(part, exp.Paren))
    texts = tuple(_text(part) for part in computed)
    if columns is None or not computed or not all(_reads_back(text) for text in texts):
        return None
    read = dict.fromkeys(item.name for part in computed for item in columns_in(part))
    if not (name and read):
        return None
    return FunctionalKey(name, (*(column for column, _ in columns), *read), tuple(n for _, n in columns), texts)


def part_of(part: tuple[str, int], alias: str) -> exp.Expr:
    """An expression of a key's `parts`, over the columns of the relation `alias`."""
    text, length = part
    assert length == EXPRESSION
    return _over(text, alias).copy()


def rename_columns(key: Key, names: Mapping[str, str], *, last: Sequence[str] = ()) -> Key:
    """The key over other names of its columns, all of which are in `names`, and with the whole columns `last`
    besides."""
    own = len(key.lengths) if isinstance(key, PrefixKey) else len(key.columns)
    columns = [names[name] for name in key.columns]
    key = replace(key, columns=(*columns[:own], *last, *columns[own:]))
    if isinstance(key, PrefixKey):
        key = replace(key, lengths=(*key.lengths, *(0 for _ in last)))
    if isinstance(key, FunctionalKey):
        key = replace(key, expressions=tuple(_text(over_names(text, names)) for text in key.expressions))
    return key


def over_names(text: str, names: Mapping[str, str]) -> exp.Expr:
    """An expression over other names of its columns; those that are not in `names` stay."""
    tree = parse_sql(text)
    for item in list(columns_in(tree)):
        item.set("this", names.get(item.name, item.name))
    return tree


@lru_cache(maxsize=1024)
def _over(text: str, alias: str) -> exp.Expr:
    tree = parse_sql(text)
    for item in columns_in(tree):
        assert item.parent is not None
        item.parent.set("table", exp.to_identifier(alias, quoted=True))
    return tree


def _text(tree: exp.Expr) -> str:
    return str(tree.sql("mysql", identify=True, comments=False))


def _reads_back(text: str) -> bool:
    try:
        return _text(parse_sql(text)) == text
    except (SqlglotError, *PARSER_FAULTS):
        return False
