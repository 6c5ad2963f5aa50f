"""The page `docs/reference/metrics.md`, from the families of metrics."""

from __future__ import annotations

from collections.abc import Iterator

from shardwright.runtime.watch.metrics.families import LABELS, OBSERVED, OF_A_RUN, Family

_HEAD = """\
# Metrics

Generated from `runtime/watch/metrics/families.py`. `run --metrics HOST:PORT` serves all of them for Prometheus.
`shardwright exporter --env E` serves those of ledgers and servers, without a run and for several migrations. With
`--once` it prints them. [Rules, a dashboard and what an account needs](../../examples/monitoring/README.md) are beside
the code.

A metric that is not known is left out, never 0. Servers are asked at most once in five seconds, and only when someone
scrapes. A scrape waits for them for a second at most, and gets the last answers then.
"""
_OBSERVED = """
## Of ledgers and servers

| metric | type | labels | what it says | left out when |
|---|---|---|---|---|"""
_OF_A_RUN = """
## Of the events of a run

They begin at 0 with the process. Metrics with a label begin with the first event of its value.

| metric | type | labels | what it says | left out when |
|---|---|---|---|---|"""
_LABELS = """
## Labels

No label has the value of a row.

| label | value |
|---|---|"""


def page() -> str:
    """Markdown, ending in a line break."""
    return "\n".join([*_parts(), ""])


def _parts() -> Iterator[str]:
    yield _HEAD.rstrip("\n")
    yield _OBSERVED
    yield from map(_row, OBSERVED)
    yield _OF_A_RUN
    yield from map(_row, OF_A_RUN)
    yield _LABELS
    yield from (f"| `{label}` | {words} |" for label, words in LABELS.items())


def _row(family: Family) -> str:
    labels = ", ".join(f"`{label}`" for label in family.label_names)
    return f"| `{family.full_name}` | {family.kind} | {labels} | {family.help} | {family.absent or '–'} |"
