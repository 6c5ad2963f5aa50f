"""What would a design make of the workload? Each statement gets the verdict that `conform` gives it, by the compiled
proposal. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from shardwright.compiler.advise.design import Design, Way
from shardwright.compiler.advise.proposal import Proposal
from shardwright.compiler.advise.source import SourceDatabase
from shardwright.compiler.advise.spread import largest_part, largest_part_of
from shardwright.compiler.conform.conformance import JudgedGroup, judge_workload
from shardwright.compiler.conform.layout import Layout, TableLayout, make_layout
from shardwright.compiler.conform.verdict import Judgement, Verdict
from shardwright.compiler.workload.statement import WorkloadStatement


@dataclass(frozen=True)
class Assessment:
    """Of one proposal, for so many shards."""

    proposal: Proposal
    source: SourceDatabase
    judged: Sequence[JudgedGroup]
    shards: int

    @cached_property
    def largest(self) -> float:
        """The part of the family's rows on the fullest shard."""
        return largest_part(self.proposal.design, self.source, self.shards)

    @cached_property
    def calls(self) -> Mapping[Verdict, int]:
        found: Counter[Verdict] = Counter()
        for one in self.judged:
            found[one.judgement.verdict] += one.group.calls
        return found

    @cached_property
    def seconds(self) -> Mapping[Verdict, float]:
        """Of the statements whose time is known."""
        found: dict[Verdict, float] = {}
        for one in self.judged:
            if one.group.seconds is not None:
                verdict = one.judgement.verdict
                found[verdict] = found.get(verdict, 0.0) + one.group.seconds
        return found

    def share(self, *verdicts: Verdict) -> float:
        """The part of all calls with a table, from 0 to 1."""
        return sum(self.calls.get(verdict, 0) for verdict in verdicts) / self._every_call

    @cached_property
    def _every_call(self) -> int:
        return sum(calls for verdict, calls in self.calls.items() if verdict is not Verdict.NO_TABLE) or 1

    @cached_property
    def load(self) -> float:
        """The busiest shard's work, where one server's work today is 1: a statement on one shard counts with that
        shard's part, one that all shards execute counts whole."""
        work = sum(self._weight(one) * one.group.calls for one in self.judged)
        return work / self._every_call

    @cached_property
    def _parts(self) -> Mapping[str, float]:
        """The part of the rows that the fullest shard has, by table."""
        design = self.proposal.design
        return {table: largest_part_of(table, design, self.source, self.shards) for table in design.placements}

    def _weight(self, one: JudgedGroup) -> float:
        judgement = one.judgement
        match judgement.verdict:
            case Verdict.NO_TABLE | Verdict.OTHER_TABLE:
                return 0.0
            case Verdict.BROADCAST_READ:
                return 1 / self.shards
            case Verdict.ONE_SHARD if not judgement.keys:  # a table that is whole in one database
                return 1.0
            case Verdict.ONE_SHARD:
                table = self.source.names.key_of(judgement.keys[0][0].partition(".")[0])
                return self._parts.get(table, 1 / self.shards)
        return 1.0

    @cached_property
    def change(self) -> float:
        """The part of the calls whose statements have to change."""
        return self.share(*(verdict for verdict in Verdict if verdict.is_bad))

    @property
    def statements_to_change(self) -> list[JudgedGroup]:
        """By their calls."""
        return sorted((one for one in self.judged if one.judgement.verdict.is_bad), key=lambda one: -one.group.calls)

    @property
    def cost(self) -> float:
        """What designs are ranked by, the least first: the busiest shard's work, and the calls that have to change."""
        return self.load + self.change


def assess(
    proposal: Proposal, source: SourceDatabase, statements: Sequence[WorkloadStatement], shards: int
) -> Assessment:
    layout = _layout(proposal, source)
    judged = [_with_number(one, proposal.design, source) for one in judge_workload(statements, layout)]
    return Assessment(proposal, source, judged, shards)


def _with_number(one: JudgedGroup, design: Design, source: SourceDatabase) -> JudgedGroup:
    """An INSERT that leaves the key of a new row to the server is on one shard once it has the number from
    elsewhere."""
    if one.judgement.verdict is not Verdict.NOT_UNDERSTOOD:
        return one
    for mention in source.usage.of_group(one.group.digest):
        placement = design.placements[mention.table]
        if not mention.is_insert or placement.way not in (Way.KEY, Way.OWN):
            continue
        column = source.column(mention.table, placement.columns[0])
        if column.auto_increment and column.name.lower() not in mention.fixed:
            keys = ((f"{source.tables[mention.table].name}.{column.name}", "its number"),)
            return replace(one, judgement=Judgement(Verdict.ONE_SHARD, "the new row's number is taken first", keys))
    return one


def _layout(proposal: Proposal, source: SourceDatabase) -> Layout:
    """Numbers for new rows have to come from elsewhere in every design, which the advice says once: here they do. So a
    key that the server counts is unique all along."""
    schema = {table.name: table for table in source.tables.values()}
    made = make_layout(proposal.compiled, schema)
    return replace(made, tables={name: _with_numbers(table, source) for name, table in made.tables.items()})


def _with_numbers(table: TableLayout, source: SourceDatabase) -> TableLayout:
    known = source.tables.get(source.names.key_of(table.logical))
    numbered = known is not None and any(
        column.auto_increment and (column.name,) == known.primary_key for column in known.columns
    )
    loose = tuple(key for key in table.loose_keys if not (numbered and key.name == "PRIMARY"))
    return replace(table, counted=None, loose_keys=loose)
