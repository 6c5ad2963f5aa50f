"""Which options each sharding algorithm reads. Their values' shapes stand in the JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shardwright.specs.findings.diagnostics import Diagnostic
from shardwright.specs.findings.wording import did_you_mean, either, quoted
from shardwright.specs.spec.model import ShardingRule, Spec
from shardwright.specs.spec.table_references import Found


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
    for rule in spec.sharding.values():
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
        message = f"algorithm {rule.algorithm} reads no option {quoted(name)}"
        hint = did_you_mean(name, accepted.names) or f"it reads {', '.join(accepted.names)}"
        yield path, Diagnostic("SW5012", message, spec.key_span_of(path), hint=hint)


def _missing(spec: Spec, rule: ShardingRule, accepted: AlgorithmOptions) -> Found:
    for group in accepted.required:
        given = [name for name in group if name in rule.options]
        path = (*rule.path, "options")
        if not given:
            wanted = either([quoted(name) for name in group])
            message = f"algorithm {rule.algorithm} needs the option {wanted}"
            place = path if path in spec.key_spans else (*rule.path, "algorithm")
            yield place, Diagnostic("SW5013", message, spec.key_span_of(place))
        elif len(given) > 1:
            message = f"the options {' and '.join(map(quoted, given))} of {rule.algorithm} exclude each other"
            yield (*path, given[1]), Diagnostic("SW5013", message, spec.key_span_of((*path, given[1])))
