"""How is a sharding function written in a language? Pure.

What is used twice, and what may be NULL, gets a variable; everything else is one expression.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from shardwright.compiler.expressions.interval import integer_interval
from shardwright.compiler.expressions.leaves import ColumnLeaf, DateColumn
from shardwright.compiler.router.language import Language
from shardwright.compiler.router.refusal import NotExpressible
from shardwright.compiler.router.terms import Kind, Term

_PLAIN = frozenset({"number", "literal", "column", "true", "false", "is_null"})
"""Never worth a variable."""


@dataclass(slots=True)
class Emitter:
    """Of one function. `names` gives the application's name for each column; `constants` gets the declarations of
    tables, which stand outside of functions."""

    language: Language
    names: Mapping[str, str]
    prefix: str
    constants: list[str]
    lines: list[str] = field(default_factory=list)
    _known: dict[Term, str] = field(default_factory=dict)
    _count: Counter[Term] = field(default_factory=Counter)
    _variables: int = 0

    def function(self, database: Term, table: Term) -> str:
        """The text of the function. Raises NotExpressible for a step that the language has no words for."""
        self._count_uses(database)
        self._count_uses(table)
        columns = dict.fromkeys(term for term in (*database.walk(), *table.walk()) if term.word == "column")
        for number, column in enumerate(columns, 1):
            self._define(column, self.language.variable.format(f"key{number}"), self._read(column))
        parts = {"database": self._value(database), "table": self._value(table)}
        statements = self.language.statements
        body = [self.language.tab + line for line in [*self.lines, statements.answer.format(**parts)]]
        text = [statements.function.format(name=self.prefix), *body, *([statements.last] if statements.last else [])]
        return "\n".join(" " * self.language.indent + line for line in text)

    def _count_uses(self, term: Term) -> None:
        """What is inside a step that is computed once is computed once."""
        self._count[term] += 1
        if self._count[term] == 1:
            for part in term.operands:
                self._count_uses(part)

    def _define(self, term: Term, name: str, code: str) -> None:
        types = self.language.nullable if term.nullable else self.language.types
        self.lines.append(self.language.statements.define.format(name=name, type=types[term.kind], value=code))
        self._known[term] = name

    def _read(self, term: Term) -> str:
        leaf = term.column
        assert leaf is not None
        word = _reader(leaf, term.kind)
        low, high = self._limits(leaf)
        template = self._template(f"read_{word}{'_or_null' if term.nullable else ''}")
        return template.format(self.language.quote(self.names[leaf.name]), low, high)

    def _limits(self, leaf: ColumnLeaf) -> tuple[str, str]:
        """What the reader gets beside the name: an integer's ends, else a length, or the digits of a second."""
        if leaf.type.is_integer:
            held = integer_interval(leaf.type)
            kind = Kind.INT if held.fits_signed_64 else Kind.WIDE
            return self.language.integer(held.low, kind), self.language.integer(held.high, kind)
        length = leaf.type.precision if isinstance(leaf, DateColumn) else leaf.type.length
        return str(length or 0), ""

    def _value(self, term: Term) -> str:
        """Of a term that is not NULL here."""
        code = self._code(term)
        return self.language.value[term.kind].format(code) if term.nullable else code

    def _outcome(self, term: Term | None, *, nullable: bool) -> str:
        if term is None:
            return self.language.null
        if not nullable:
            return self._value(term)
        return self._code(term) if term.nullable else self.language.some[term.kind].format(self._code(term))

    def _code(self, term: Term) -> str:
        known = self._known.get(term)
        if known is not None:
            return known
        if term.word == "choice":
            return self._choice(term)
        code = self._step(term)
        if self._count[term] > 1 and term.word not in _PLAIN and _is_total(term):
            name = self._new_variable()
            self._define(term, name, code)
            return name
        return code

    def _step(self, term: Term) -> str:
        language = self.language
        match term.word:
            case "number":
                self._template(f"number_{term.kind}")
                return language.integer(term.number, term.kind)
            case "literal":
                return language.quote(term.text)
            case "true" | "false":
                return language.yes if term.word == "true" else language.no
            case "is_null" | "is_true" | "is_false":
                return self._template(term.word).format(self._code(term.operands[0]))
        operands = [self._value(part) for part in term.operands]
        table = self._table(term) if term.word in language.tables else ""
        return self._template(term.word).format(
            *operands, table=table, default=language.integer(term.number, Kind.INT) if term.word == "lookup" else ""
        )

    def _table(self, term: Term) -> str:
        name = f"{self.prefix.upper()}_{len(self.constants) + 1}"
        self.constants.append(self.language.tables[term.word](name, term.table))
        return name

    def _choice(self, term: Term) -> str:
        statements, language = self.language.statements, self.language
        conditions = [self._code(test) for test in term.conditions if test is not None]
        outcomes = [self._outcome(part, nullable=term.nullable) for part in term.outcomes]
        name = self._new_variable()
        types = language.nullable if term.nullable else language.types
        if statements.declare:
            self.lines.append(statements.declare.format(name=name, type=types[term.kind]))
        heads = [statements.first_test, *[statements.next_test] * len(conditions)]
        for head, test, outcome in zip(heads, conditions, outcomes, strict=False):
            self.lines += [head.format(test=test), language.tab + statements.assign.format(name=name, value=outcome)]
        self.lines += [statements.otherwise, language.tab + statements.assign.format(name=name, value=outcomes[-1])]
        if statements.end:
            self.lines.append(statements.end)
        self._known[term] = name
        return name

    def _template(self, word: str) -> str:
        found = self.language.steps.get(word)
        if found is None:
            raise NotExpressible(word)
        return found

    def _new_variable(self) -> str:
        self._variables += 1
        return self.language.variable.format(f"value{self._variables}")


def _is_total(term: Term) -> bool:
    """Whether it can be computed before it is known which branch is taken."""
    if term.word in ("choice", "column"):
        return True
    if term.word in ("is_null", "is_true", "is_false"):
        return True
    return all(not part.nullable and _is_total(part) for part in term.operands)


def _reader(leaf: ColumnLeaf, kind: Kind) -> str:
    name = leaf.type.name
    if kind in (Kind.INT, Kind.WIDE):
        return kind
    if isinstance(leaf, DateColumn):
        return "date" if name == "date" else "moment"
    if name in ("uuid", "inet4", "char"):
        return name
    if kind is Kind.BYTES:
        return "binary" if name == "binary" else "bytes"
    return "text"
