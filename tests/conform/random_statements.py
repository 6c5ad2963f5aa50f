"""Random SELECTs, UPDATEs and DELETEs over the tables of `project/`, as applications write them and worse.

Each answer is determined by the rows: a LIMIT comes with an order over all that is shown.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from tests.conform.truth import LOGINS, STATUSES

COLUMNS = {
    "users": {"id": "user", "name": "text", "balance": "int", "region_code": "int", "email": "mail"},
    "orders": {
        "order_id": "order",
        "user_id": "user",
        "status": "text",
        "amount": "int",
        "note": "text",
        "region_code": "int",
    },
    "items": {"order_id": "order", "line_no": "int", "sku": "text", "quantity": "int"},
    "payment": {"payment_no": "bin", "order_id": "order", "user_id": "user", "paid": "int"},
    "visit": {"id": "int", "login": "text", "user_id": "user", "pages": "int"},
    "device": {"tenant": "int", "code": "bin", "user_id": "user", "label": "text"},
    "region": {"code": "int", "title": "text"},
    "setting": {"id": "int", "value": "int"},
}
KEYS = {
    "users": ("id",),
    "orders": ("user_id",),
    "items": ("order_id",),
    "payment": ("user_id",),
    "visit": ("login",),
    "device": ("tenant", "code"),
    "region": ("code",),
    "setting": ("id",),
}
WEIGHTS = {"users": 6, "orders": 8, "items": 4, "payment": 5, "visit": 2, "device": 2, "region": 3, "setting": 1}


@dataclass
class Source:
    """A table, or a query in its place, within FROM."""

    alias: str
    table: str
    columns: dict[str, str]

    def key(self) -> tuple[str, ...]:
        return tuple(name for name in KEYS.get(self.table, ()) if name in self.columns)


class Writer:
    """Writes statements. `dice` decides everything."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self._aliases = 0

    def likely(self, share: float) -> bool:
        return self._dice.random() < share

    def statement(self) -> str:
        if self.likely(0.06):
            return self._look_up()
        if self.likely(0.13):
            return self._union()
        if self.likely(0.06):
            inner, columns = self._select(depth=1, named=True)
            source = Source("w", "", columns)
            return f"WITH w AS ({inner}) {self._tail([source], 'w', depth=1)[0]}"
        return self._select(depth=0)[0]

    def change(self) -> str:
        """An UPDATE or DELETE that keeps shard keys and unique values."""
        table = self._dice.choice(["users", "orders", "payment", "items", "visit", "device"])
        source = Source("t1", table, COLUMNS[table])
        joined = ""
        sources = [source]
        if self.likely(0.25):
            other = self._table()
            joined = f" JOIN {other.table} {other.alias} ON {self._on(other, sources)}"
            sources.append(other)
        where = f" WHERE {self._conditions(sources, 1)}" if self.likely(0.95) else ""
        if self.likely(0.4):
            if joined:
                return f"DELETE t1 FROM {table} t1{joined}{where}"
            return (
                f"DELETE FROM {table}{where.replace('t1.', '')}"
                if "SELECT" not in where
                else f"DELETE t1 FROM {table} t1{where}"
            )
        name = {
            "users": "balance",
            "orders": "amount",
            "payment": "paid",
            "items": "quantity",
            "visit": "pages",
            "device": "label",
        }[table]
        value = "'x'" if name == "label" else self._dice.choice(["7", f"COALESCE(t1.{name}, 0) + 1"])
        return f"UPDATE {table} t1{joined} SET t1.{name} = {value}{where}"

    # -- queries -------------------------------------------------------------------------------------------------------

    def _union(self) -> str:
        word = self._dice.choice(["UNION", "UNION ALL", "UNION ALL", "EXCEPT", "INTERSECT"])
        arms = []
        kinds = self._dice.choice([["user"], ["user", "int"], ["user", "text"], ["order", "int"]])
        key = self._dice.randrange(1, 14) if self.likely(0.4) else None
        for _ in range(self._dice.choice([2, 2, 3])):
            table = self._dice.choice(
                [name for name, columns in COLUMNS.items() if set(kinds) <= set(columns.values())]
            )
            source = Source(self._alias(), table, COLUMNS[table])
            shown = [
                self._dice.choice([name for name, kind in source.columns.items() if kind == wanted]) for wanted in kinds
            ]
            where = ""
            own = source.key()
            if key is not None and own and COLUMNS[table][own[0]] == "user":
                where = f" WHERE {source.alias}.{own[0]} = {key}"
            elif self.likely(0.5):
                where = f" WHERE {self._predicate([source], 2)}"
            arms.append(
                f"SELECT {', '.join(f'{source.alias}.{name}' for name in shown)} FROM {table} {source.alias}{where}"
            )
        text = f" {word} ".join(arms)
        if self.likely(0.15):
            text += f" ORDER BY {', '.join(str(number + 1) for number in range(len(kinds)))} LIMIT 3"
        return text

    def _look_up(self) -> str:
        """One row by a unique key, as an ORM's `first()` writes it."""
        table, names = self._dice.choice(
            [
                ("users", ("email",)),
                ("orders", ("order_id",)),
                ("payment", ("payment_no",)),
                ("items", ("order_id", "line_no")),
                ("visit", ("id",)),
            ]
        )
        source = Source("t1", table, COLUMNS[table])
        where = " AND ".join(f"t1.{name} = {self._value(COLUMNS[table][name])}" for name in names)
        if self.likely(0.3):
            where += f" AND {self._predicate([source], 2)}"
        shown = self._dice.choice(["*", f"DISTINCT {self._column([source])[0]}", self._column([source])[0]])
        return f"SELECT {shown} FROM {table} t1 WHERE {where} {self._dice.choice(['', 'ORDER BY 1 '])}LIMIT {self._dice.choice(['1', '2'])}"

    def _alias(self) -> str:
        self._aliases += 1
        return f"t{self._aliases + 1}"

    def _table(self) -> Source:
        table = self._dice.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        return Source(self._alias(), table, COLUMNS[table])

    def _source(self, depth: int) -> tuple[Source, str]:
        if depth < 2 and self.likely(0.12):
            inner, columns = self._select(depth + 1, named=True)
            alias = self._alias()
            return Source(alias, "", columns), f"({inner}) {alias}"
        source = self._table()
        return source, f"{source.table} {source.alias}"

    def _select(self, depth: int, *, named: bool = False) -> tuple[str, dict[str, str]]:
        first, text = self._source(depth)
        sources = [first]
        for _ in range(self._dice.choices([0, 1, 2], [6, 4, 1])[0]):
            source, shown = self._source(depth)
            on = self._on(source, sources)
            word = self._dice.choices(["JOIN", "LEFT JOIN", "RIGHT JOIN"], [6, 4, 1 if len(sources) == 1 else 0])[0]
            shared = [name for name in source.columns if sum(name in one.columns for one in sources) == 1]
            if word == "JOIN" and shared and self.likely(0.1):
                on_text = f" USING ({self._dice.choice(shared)})"
            elif word == "JOIN" and self.likely(0.1):
                text += f" STRAIGHT_JOIN {shown} ON {on}"
                sources.append(source)
                continue
            else:
                on_text = f" ON {on}"
            sources.append(source)
            text += f" {word} {shown}{on_text}"
            if self.likely(0.1):
                text = f"({text})"
        return self._tail(sources, text, depth, named=named)

    def _tail(self, sources: list[Source], text: str, depth: int, *, named: bool = False) -> tuple[str, dict[str, str]]:
        where = f" WHERE {self._conditions(sources, depth)}" if self.likely(0.75) else ""
        if self.likely(0.22):
            return self._group_query(sources, text, where, depth)
        chosen = self._columns_shown(sources)
        columns = {f"c{number}": kind for number, (_, kind) in enumerate(chosen)}
        shown = [f"{column} AS c{number}" for number, (column, _) in enumerate(chosen)]
        if self.likely(0.06):
            part = self._column(sources)[0] if self.likely(0.5) else (self._key_of(sources) or self._column(sources)[0])
            shown.append(f"COUNT(*) OVER (PARTITION BY {part}) AS n")
            columns["n"] = "int"
        if self.likely(0.08) and depth < 2:
            shown.append(f"({self._scalar(sources, depth)}) AS s")
            columns["s"] = "int"
        distinct = "DISTINCT " if self.likely(0.12) else ""
        query = f"SELECT {distinct}{', '.join(shown)} FROM {text}{where}"
        return query + self._limit(len(shown), depth), columns

    def _limit(self, shown: int, depth: int) -> str:
        order = f" ORDER BY {', '.join(str(number + 1) for number in range(shown))}"
        if self.likely(0.06):
            return f"{order} LIMIT {self._dice.randrange(1, 5)}"
        return order if depth == 0 and self.likely(0.06) else ""

    def _columns_shown(self, sources: list[Source]) -> list[tuple[str, str]]:
        found = [self._column(sources) for _ in range(self._dice.randrange(1, 4))]
        if self.likely(0.35) and (key := self._key_of(sources)):
            found.insert(0, (key, "user"))
        return found

    def _key_of(self, sources: list[Source]) -> str | None:
        source = self._dice.choice(sources)
        return (
            f"{source.alias}.{source.key()[0]}"
            if len(source.key()) == 1 and "user" in (source.columns[source.key()[0]],)
            else None
        )

    def _group_query(self, sources: list[Source], text: str, where: str, depth: int) -> tuple[str, dict[str, str]]:
        groups = [self._column(sources) for _ in range(self._dice.choice([0, 1, 1, 2]))]
        if self.likely(0.5) and (key := self._key_of(sources)):
            groups.append((key, "user"))
        inner = self._column(sources)[0]
        aggregate = self._dice.choice(
            ["COUNT(*)", f"COUNT(DISTINCT {inner})", f"SUM({self._column(sources, 'int')[0]})", f"MIN({inner})",
             f"AVG({self._column(sources, 'int')[0]})", f"GROUP_CONCAT({inner} ORDER BY {inner})"]
        )  # fmt: skip
        columns = {f"c{number}": kind for number, (_, kind) in enumerate(groups)} | {"a": "any"}
        shown = [*(f"{column} AS c{number}" for number, (column, _) in enumerate(groups)), f"{aggregate} AS a"]
        query = f"SELECT {', '.join(shown)} FROM {text}{where}"
        if groups:
            query += f" GROUP BY {', '.join(column for column, _ in groups)}"
        if self.likely(0.2):
            query += " HAVING COUNT(*) > 1"
        return query + self._limit(len(shown), depth), columns

    # -- conditions ----------------------------------------------------------------------------------------------------

    def _column(self, sources: Sequence[Source], kind: str | None = None) -> tuple[str, str]:
        found = [
            (f"{source.alias}.{name}", has)
            for source in sources
            for name, has in source.columns.items()
            if kind is None or has == kind
        ]
        return self._dice.choice(found) if found else ("1", "int")

    def _on(self, source: Source, others: list[Source]) -> str:
        other = self._dice.choice(others)
        pairs = []
        if self.likely(0.7):
            for wanted in ("user", "order"):
                one = [name for name, kind in source.columns.items() if kind == wanted]
                two = [name for name, kind in other.columns.items() if kind == wanted]
                if one and two:
                    pairs.append(f"{source.alias}.{self._dice.choice(one)} = {other.alias}.{self._dice.choice(two)}")
                    break
        if not pairs:
            kind = self._dice.choice(["int", "text", "user"])
            pairs.append(f"{self._column([source], kind)[0]} = {self._column([other], kind)[0]}")
        if self.likely(0.25):
            pairs.append(self._predicate([source, *others], 2))
        if self.likely(0.08):
            pairs.append(self._by_key([source, *others]))
        if self.likely(0.05):
            pairs.append(self._sub_predicate([source, *others], 1))
        return " AND ".join(pairs)

    def _conditions(self, sources: list[Source], depth: int) -> str:
        parts = []
        if self.likely(0.4):
            parts.append(self._by_key(sources))
        parts += [self._predicate(sources, depth) for _ in range(self._dice.randrange(0 if parts else 1, 3))]
        if len(sources) > 1 and self.likely(0.2):
            parts.append(f"{self._column([sources[0]], 'user')[0]} = {self._column([sources[-1]], 'user')[0]}")
        word = " OR " if self.likely(0.1) else " AND "
        return word.join(parts)

    def _by_key(self, sources: list[Source]) -> str:
        source = self._dice.choice(sources)
        names = source.key() or ("",)
        if names == ("",):
            return self._predicate([source], 2)
        return " AND ".join(
            f"{source.alias}.{name} = {self._value(source.columns[name])}" if self.likely(0.85)
            else f"{source.alias}.{name} IN ({self._value(source.columns[name])}, {self._value(source.columns[name])})"
            for name in names
        )  # fmt: skip

    def _value(self, kind: str) -> str:
        match kind:
            case "user":
                number = self._dice.randrange(1, 14)
                return str(number) if self.likely(0.9) else f"'{number}'"
            case "order":
                return str(self._dice.randrange(1, 31))
            case "text":
                return repr(self._dice.choice([*LOGINS, *STATUSES]))
            case "mail":
                return f"'{self._dice.choice(['Mail', 'mail'])}{self._dice.randrange(1, 14)}'"
            case "bin":
                return repr(self._dice.choice(["p3", "p4", "c1", "c2"]))
        return str(self._dice.randrange(5))

    def _predicate(self, sources: list[Source], depth: int) -> str:
        column, kind = self._column(sources)
        if depth < 2 and self.likely(0.3):
            return self._sub_predicate(sources, depth)
        choice = self._dice.randrange(9)
        if choice == 0:
            return f"{column} IS NOT NULL"
        if choice == 1:
            return f"{column} IN ({', '.join(self._value(kind) for _ in range(self._dice.randrange(1, 4)))})"
        if choice == 2:
            return f"({self._predicate(sources, 2)} OR {self._predicate(sources, 2)})"
        if choice == 3:
            return f"NOT ({self._predicate(sources, 2)})"
        if choice == 4 and kind != "text":
            return f"{column} BETWEEN {self._value(kind)} AND {self._value(kind)}"
        if choice == 5:
            return f"{column} IS NULL"
        operator = self._dice.choice(["=", "=", "=", "<>", ">", "<=", "<=>"])
        return f"{column} {operator} {self._value(kind)}"

    def _sub_predicate(self, sources: list[Source], depth: int) -> str:
        source = self._table()
        tied = self._on(source, sources) if self.likely(0.75) else self._predicate([source], 2)
        where = f"{tied} AND {self._predicate([source], 2)}" if self.likely(0.5) else tied
        inner = f"FROM {source.table} {source.alias} WHERE {where}"
        choice = self._dice.randrange(4)
        if choice == 0:
            return f"{self._dice.choice(['', 'NOT '])}EXISTS (SELECT 1 {inner})"
        if choice == 1:
            kind = self._dice.choice(["user", "user", "int", "order"])
            column = self._column([source], kind)
            own = self._column(sources, kind)
            distinct = self._dice.choice(["", "", "DISTINCT "])
            free = "" if self.likely(0.5) else f" WHERE {self._predicate([source], 2)}"
            tail = inner if self.likely(0.4) else f"FROM {source.table} {source.alias}{free}"
            return f"{own[0]} {self._dice.choice(['', '', 'NOT '])}IN (SELECT {distinct}{column[0]} {tail})"
        if choice == 2:
            number = self._column([source], "int")[0]
            return f"{self._column(sources, 'int')[0]} >= (SELECT {self._dice.choice(['MIN', 'MAX', 'COUNT'])}({number}) {inner})"
        if depth < 1:
            query, columns = self._select(depth + 1, named=True)
            name = self._dice.choice(list(columns))
            return f"{self._column(sources, 'user')[0]} IN (SELECT d.{name} FROM ({query}) d)"
        return f"EXISTS (SELECT 1 {inner})"

    def _scalar(self, sources: list[Source], depth: int) -> str:
        source = self._table()
        number = self._column([source], "int")[0]
        return f"SELECT {self._dice.choice(['SUM', 'COUNT', 'MAX'])}({number}) FROM {source.table} {source.alias} WHERE {self._on(source, sources)}"
