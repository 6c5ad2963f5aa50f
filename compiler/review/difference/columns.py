"""Columns of one table before and after: newly copied, no longer copied, called or written otherwise. Names that look
like personal data are a hint for reviewers, no proof in either direction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from shardwright.compiler.plan.plan import CopiedColumn, TablePlan
from shardwright.compiler.review.difference.changes import (
    Change,
    ColumnAdded,
    ColumnChanged,
    ColumnDropped,
    ColumnRenamed,
)
from shardwright.compiler.schema.column_type import type_words

_KINDS: tuple[tuple[str, str], ...] = (
    ("an e-mail address", r"e?mail|email_address"),
    ("a telephone number", r"phone|mobile|cell|fax|tel|msisdn"),
    (
        "a person's name",
        r"(first|last|middle|full|sur|maiden|given|family|contact|customer|user|display)_?name|surname",
    ),
    ("a postal address", r"address|addr|street|postcode|postal_?code|zip_?code|zip"),
    ("a date of birth", r"birth|birth_?da(y|te)|date_of_birth|dob"),
    (
        "an identity number",
        r"ssn|passport|national_?id|tax_?(id|no|number)|id_?card|social_security|driver_?licen[cs]e",
    ),
    ("payment data", r"iban|bic|card_?(no|number)|credit_?card|account_?(no|number)|cvc|cvv|pan"),
    ("a secret", r"passw(or)?d|passwd|pwd|secret|token|api_?key|salt|credential|otp|pin"),
    ("a place or a device", r"ip|ip_?addr(ess)?|lat(itude)?|lon(gitude)?|geo|device_?id|imei|user_?agent"),
    ("health or belief", r"diagnosis|religion|ethnicity|gender|sex|health|disability|blood_?type"),
)
_PATTERNS = tuple((kind, re.compile(rf"(?:^|_)(?:{pattern})(?:_|\d|$)")) for kind, pattern in _KINDS)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def looks_personal(column: str) -> str | None:
    """What kind of personal data the name suggests; None when it suggests none."""
    plain = _HUMP.sub("_", column).lower()
    return next((kind for kind, pattern in _PATTERNS if pattern.search(plain)), None)


def column_changes(before: TablePlan | None, after: TablePlan) -> Iterator[Change]:
    """Columns are paired by their source's name, computed ones by their own. Of a new table only those are shown
    that look like personal data."""
    old = {_origin(column): column for column in before.columns} if before else {}
    new = {_origin(column): column for column in after.columns}
    for origin, column in new.items():
        if origin in old:
            yield from _column(after.logical, old[origin], column)
        elif before or (looks_personal(origin) and not _is_masked(column)):
            yield ColumnAdded(after.logical, origin, looks_personal(origin), _is_masked(column), column.mapping)
    for origin in old:
        if origin not in new:
            yield ColumnDropped(after.logical, origin)


def _column(logical: str, old: CopiedColumn, new: CopiedColumn) -> Iterator[Change]:
    if old.target != new.target:
        yield ColumnRenamed(logical, _origin(new), old.target, new.target)
    was, now = _written(old), _written(new)
    if was != now:
        unmasked = _is_masked(old) and not _is_masked(new)
        comes_back = new.reversibility == "lossless" or old.reversibility == new.reversibility == "lossy"
        yield ColumnChanged(logical, _origin(new), was, now, unmasked=unmasked, comes_back=comes_back)


def _origin(column: CopiedColumn) -> str:
    return column.source or column.target


def _is_masked(column: CopiedColumn) -> bool:
    """Whether the source's values do not reach the target."""
    return column.reversibility == "one-way" and column.source != ""


def _written(column: CopiedColumn) -> str:
    kind = type_words(column.type, nullable=column.nullable)
    return kind if column.mapping == "copied" else f"{kind}, {column.mapping}"
