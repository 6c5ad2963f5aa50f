"""Defaults: what an entry does not say stands, what it says wins, key by key."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.spec.build import build_spec
from shardwright.specs.spec.model import Spec
from shardwright.specs.spec.settings import with_defaults
from shardwright.specs.yaml.source import parse_yaml

policies = st.sampled_from(["immediate", "until_snapshot", "ignore"])
ceilings = st.one_of(st.integers(0, 1000), st.integers(0, 100).map(lambda share: f"{share}%"))
deletes = st.one_of(policies, st.fixed_dictionaries({}, optional={"policy": policies, "stop_above": ceilings}))
settings = st.fixed_dictionaries(
    {}, optional={"weight": st.integers(-9, 9), "deletes": deletes, "version_column": st.sampled_from(["a", "b"])}
)


def _as_mapping(value: object) -> dict[str, object]:
    return dict(value) if isinstance(value, dict) else {"policy": value}


@given(settings, settings)
def test_an_entry_overrides_key_by_key(defaults: dict[str, object], entry: dict[str, object]) -> None:
    whole = with_defaults(defaults, entry)
    for key in {*defaults, *entry} - {"deletes"}:
        assert whole[key] == entry.get(key, defaults.get(key))
    if "deletes" in defaults or "deletes" in entry:
        ours = _as_mapping(entry["deletes"]) if "deletes" in entry else {}
        theirs = _as_mapping(defaults["deletes"]) if "deletes" in defaults else {}
        assert _as_mapping(whole["deletes"]) == {**theirs, **ours}


def test_a_delay_belongs_to_its_policy() -> None:
    defaults = {"deletes": {"policy": "delay", "delay": "10m", "stop_above": 5}}
    assert with_defaults(defaults, {"deletes": "immediate"})["deletes"] == {"policy": "immediate", "stop_above": 5}


def test_what_happens_to_equal_keys_is_said_whole() -> None:
    defaults = {"on_key_collision": {"add_column": "shop"}}
    assert with_defaults(defaults, {})["on_key_collision"] == {"add_column": "shop"}
    assert with_defaults(defaults, {"on_key_collision": "refuse"})["on_key_collision"] == "refuse"
    own = with_defaults({"on_key_collision": "refuse"}, {"on_key_collision": {"add_column": "shop"}})
    assert own["on_key_collision"] == {"add_column": "shop"}


def test_a_default_has_its_own_place() -> None:
    spec = _spec("defaults:\n  weight: 4\n  deletes: {stop_above: 9}\ntables:\n  - {table: t, sharding: broadcast}\n")
    (table,) = spec.tables
    assert (table.weight, str(table.deletes.stop_above)) == (4, "9")
    assert spec.span_of((*table.path, "weight")).line == 2
    assert spec.span_of((*table.path, "deletes", "stop_above")).line == 3


def _spec(text: str) -> Spec:
    findings = Findings()
    source = parse_yaml(text, "spec.yaml", findings)
    assert source is not None
    return build_spec(source, findings)
