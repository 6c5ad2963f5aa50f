"""SW19xx: features that the format has and this version does not execute. One code for each, so that none is ignored."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code


def _refused(code: str, feature: str, instead: str) -> Code:
    return Code(
        code,
        f"not supported yet: {feature}",
        f"A spec can state this, but this version does not execute it, and refuses rather than guesses.\n{instead}",
    )


UNSUPPORTED: tuple[Code, ...] = (
    _refused(
        "SW1911",
        "on_key_collision other than refuse",
        "Leave it out: equal keys of two source tables stop the run. With first_source, a row would have to come back from the\n"
        "second table when the first one's goes, and the stream does not carry it.",
    ),
    _refused(
        "SW1952",
        "keeping rows of this table",
        "Where a family's rows stand, and which of several source tables a row is of, is remembered from the beginning, and nothing is\n"
        "known of rows that stood there before. Use `existing_rows: replace` or `refuse` for such tables.",
    ),
)
