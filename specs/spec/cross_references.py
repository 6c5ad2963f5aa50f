"""Does the spec agree with itself? What one part says about another: rules, databases, names, keys, paths."""

from __future__ import annotations

import ntpath
import posixpath
from collections.abc import Callable

from shardwright.specs.findings.diagnostics import Diagnostic, Findings
from shardwright.specs.findings.span import Path
from shardwright.specs.shape.shape import lies_within
from shardwright.specs.spec.algorithm_options import options_fit_the_algorithm
from shardwright.specs.spec.model import Spec
from shardwright.specs.spec.rule_references import (
    copies_name_their_source,
    own_keys_fit_the_rule,
    rules_are_whole,
    rules_exist,
    single_databases_exist,
)
from shardwright.specs.spec.table_references import (
    Found,
    columns_agree,
    delays_are_given,
    exceptions_have_a_pattern,
    groups_are_apart,
    key_lists_have_no_repeats,
    losses_have_reasons,
    names_fit,
    parents_exist,
    parents_have_a_place,
    patterns_are_pinned,
    physical_names_are_distinct,
    tables_are_distinct,
)


def check_references(spec: Spec, malformed: frozenset[Path], findings: Findings) -> frozenset[Path]:
    """Report every contradiction within the spec, except at places that are malformed and reported already.

    Returns the paths where something stands that cannot have been meant so.
    """
    faults: set[Path] = set()
    rules_unread = not spec.sharding and any(len(path) <= 1 for path in malformed)
    for check in _CHECKS:
        if rules_unread and check is rules_exist:
            continue
        for path, diagnostic in check(spec):
            if not lies_within(path, malformed):
                findings.items.append(diagnostic)
                if check not in _ABOUT_WHAT_IS_CLEAR:
                    faults.add(path)
    return frozenset(faults)


def _paths_stay_inside(spec: Spec) -> Found:
    places: list[tuple[Path, str | None]] = [(("source", "schema"), spec.source.schema), (("ddl",), spec.ddl)]
    places += spec.rule_files()
    for path, value in places:
        if value and not stays_inside(value):
            message = f"path '{value}' leads out of the project folder"
            hint = "write it relative to the folder that holds specs/"
            yield path, Diagnostic("SW2013", message, spec.span_of(path), hint=hint)


def stays_inside(path: str) -> bool:
    """Whether a relative path stays below the folder it starts from, by its text alone."""
    if "\\" in path or posixpath.isabs(path) or ntpath.splitdrive(path)[0] or not path.isprintable():
        return False
    return posixpath.normpath(path).split("/")[0] != ".."


_CHECKS: tuple[Callable[[Spec], Found], ...] = (
    rules_are_whole,
    options_fit_the_algorithm,
    rules_exist,
    own_keys_fit_the_rule,
    parents_exist,
    parents_have_a_place,
    single_databases_exist,
    copies_name_their_source,
    tables_are_distinct,
    patterns_are_pinned,
    exceptions_have_a_pattern,
    names_fit,
    physical_names_are_distinct,
    groups_are_apart,
    columns_agree,
    key_lists_have_no_repeats,
    losses_have_reasons,
    delays_are_given,
    _paths_stay_inside,
)

_ABOUT_WHAT_IS_CLEAR: tuple[Callable[[Spec], Found], ...] = (
    exceptions_have_a_pattern,
    physical_names_are_distinct,
    groups_are_apart,
    losses_have_reasons,
    delays_are_given,
)
"""Checks whose findings leave no doubt about what the spec says: whatever depends on it can be checked too."""
