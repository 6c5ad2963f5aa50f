"""Does a DDL statement of the source explain a newer plan? Only where the plan differs by no more than the statement's
columns. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.plan.steps import plan_record

_KEPT_ASPECTS = ("keys", "sharding", "settings")
_SAME_ASPECTS = ("source", "columns", "sql", *_KEPT_ASPECTS)


def find_unexplained(
    recorded: Mapping[str, Any], plan: Plan, *, logical: str, columns_after: list[Any] | None
) -> Iterator[str]:
    """What `plan` has otherwise than the recorded one, beyond the columns of `logical` that the source's change gave
    and took; `columns_after` are all of the source table's since, None when they are not known."""
    new = plan_record(plan)
    for what in ("databases", "dialect", "books"):
        if recorded[what] != new[what]:
            yield f"its {what} are others"
    for name in sorted(recorded["tables"].keys() ^ new["tables"].keys()):
        yield f"table {name} is {'gone' if name in recorded['tables'] else 'new'}"
    for name in sorted(recorded["tables"].keys() & new["tables"].keys()):
        before, now = recorded["tables"][name], new["tables"][name]
        if name != logical:
            differing = [what for what in _SAME_ASPECTS if before["aspects"].get(what) != now["aspects"].get(what)]
            if differing:
                yield f"table {name} has other {', '.join(differing)}"
        else:
            yield from _of_changed(before, now, name, columns_after)


def _of_changed(
    before: Mapping[str, Any], now: Mapping[str, Any], name: str, columns_after: list[Any] | None
) -> Iterator[str]:
    differing = [what for what in _KEPT_ASPECTS if before["aspects"].get(what) != now["aspects"].get(what)]
    if differing:
        yield f"table {name} has other {', '.join(differing)}"
    if (before["sources"], before["place"]) != (now["sources"], now["place"]):
        yield f"table {name} has other source tables or another sharding rule"
    names_before: dict[str, str] = {column["name"]: column["was"] for column in columns_after or () if "was" in column}
    columns_after = columns_after and [{k: v for k, v in item.items() if k != "was"} for item in columns_after]
    if columns_after is not None and now["source_columns"] != columns_after:
        yield (
            f"table {name}: its columns in the schema file are not those after the change "
            f"({_first(now, columns_after)})"
        )
    sources_before = {column["name"]: column for column in before["source_columns"]}
    sources_now = {column["name"]: column for column in now["source_columns"]}
    changed = {
        source
        for source in sources_before.keys() | sources_now.keys()
        if sources_before.get(source) != sources_now.get(source)
    }
    for target in sorted(before["columns"].keys() | now["columns"].keys()):
        old, new = before["columns"].get(target), now["columns"].get(target)
        source = (new or old)["source"]
        if old != new and source not in changed:
            yield f"table {name}: target column {target} is another one, and the source's was not changed"
    yield from _of_renamed(before["columns"], now["columns"], name, names_before)


def _of_renamed(
    before: Mapping[str, Any], now: Mapping[str, Any], name: str, names_before: Mapping[str, str]
) -> Iterator[str]:
    """A column that only has another name at the source is copied as before, to the same column or to one of the new
    name."""
    was, then = ({item["source"]: item for item in columns.values()} for columns in (before, now))
    for new, old in names_before.items():
        found = was.get(old)
        wanted = [found | {"source": new, "target": target} for target in (found["target"], new)] if found else [None]
        if then.get(new) not in wanted:
            yield f"table {name}: column {new} is not copied as {old} was, which only has another name now"


def _first(now: Mapping[str, Any], columns_after: list[Any]) -> str:
    found = {column["name"]: column for column in now["source_columns"]}
    wanted = {column["name"]: column for column in columns_after}
    for column in wanted:
        if column not in found:
            return f"{column} is missing"
        if found[column] != wanted[column]:
            return f"{column} is another type"
    extra = [column for column in found if column not in wanted]
    return f"{extra[0]} is too many" if extra else "the order is another"
