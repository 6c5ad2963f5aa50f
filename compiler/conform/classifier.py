"""Verdicts about statements that differ by their literals alone: each form is looked at once. Pure."""

from __future__ import annotations

from dataclasses import replace

from shardwright.compiler.conform.classify import classify
from shardwright.compiler.conform.layout import Layout
from shardwright.compiler.conform.verdict import Judgement
from shardwright.compiler.workload.digest import fold_literals, literals_of

_Form = tuple[str, tuple[tuple[int, str], ...]]


class Classifier:
    """A log has a million statements of a hundred forms."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._known: dict[_Form, tuple[tuple[str, ...], Judgement]] = {}

    def judge(self, text: str) -> Judgement:
        """The verdict that `classify` gives. Of another statement of a known form, the values are its own."""
        form, literals = fold_literals(text), literals_of(text)
        if form not in self._known:
            self._known[form] = literals, classify(text, self._layout)
            return self._known[form][1]
        first, judged = self._known[form]
        if judged.route is None or first == literals:
            return judged
        return _with_values(judged, first, literals) or classify(text, self._layout)


def _with_values(judged: Judgement, first: tuple[str, ...], literals: tuple[str, ...]) -> Judgement | None:
    """The verdict with other values; None where it is not certain which literal the key is."""
    assert judged.route is not None
    labels, keys = [], []
    for label, (column, shown) in zip(judged.route[1], judged.keys, strict=True):
        kind, _, value = label.partition(" ")
        found = {new for old, new in zip(first, literals, strict=True) if old == value}
        if kind in ("name", "null"):
            labels.append(label)
            keys.append((column, shown))
            continue
        if len(found) != 1 or kind not in ("int", "text") or (kind == "int" and not _is_plain(*found)):
            return None
        (new,) = found
        labels.append(f"{kind} {new}")
        keys.append((column, new if kind == "int" else f"'{new}'"))
    reason = " and ".join(f"{column} = {shown}" for column, shown in keys)
    return replace(judged, reason=reason, keys=tuple(keys), route=(judged.route[0], tuple(labels)))


def _is_plain(value: str) -> bool:
    return value.isascii() and value.isdigit() and str(int(value)) == value
