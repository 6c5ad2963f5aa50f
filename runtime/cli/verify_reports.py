"""`verify --report FORM=PATH`: the forms, and writing them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.verify.report import as_json
from shardwright.runtime.verify.result import VerifyResult
from shardwright.specs.files.private_files import write_private


def json_text(result: VerifyResult) -> str:
    return json.dumps(as_json(result), indent=2, ensure_ascii=False) + "\n"


def _page(result: VerifyResult) -> str:
    from shardwright.runtime.verify.html_report import as_html

    return as_html(result)


_FORMS: dict[str, Callable[[VerifyResult], str]] = {"json": json_text, "html": _page}


def asked_for(reports: Sequence[str]) -> list[tuple[str, Path]]:
    """Form and file of each `FORM=PATH`. Raises RuntimeFailure (SW8007): before hours of comparing, not after."""
    pairs = [(form, path) for form, _, path in (report.partition("=") for report in reports)]
    for (form, path), report in zip(pairs, reports, strict=True):
        if form not in _FORMS or not path:
            raise RuntimeFailure(
                "SW8007", f"--report {report}: only {' and '.join(f'{one}=PATH' for one in _FORMS)} are known"
            )
    return [(form, Path(path)) for form, path in pairs]


def write(result: VerifyResult, reports: Sequence[tuple[str, Path]]) -> None:
    """Raises RuntimeFailure (SW8051) when a file cannot be written."""
    for form, path in reports:
        try:
            write_private(path, _FORMS[form](result))
        except OSError as error:
            raise RuntimeFailure("SW8051", f"cannot write the report {path}: {error.strerror}") from None
