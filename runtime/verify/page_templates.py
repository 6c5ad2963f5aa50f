"""What pages share: their templates' settings, their style, and how they say when they were written.

Pure, but for the clock and the template files; runs in the process of the command.
"""

from __future__ import annotations

from datetime import UTC, datetime

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

_ROOM = "shardwright.runtime.verify"


def page_templates(package: str) -> Environment:
    """The templates of a package, beside those that pages share (`page_style.html.j2`). All values are escaped."""
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package, "."), PackageLoader(_ROOM, ".")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = "{:,}".format
    return environment


def time_of_page(at: datetime | None) -> str:
    """`at`, or now."""
    return (at or datetime.now(UTC)).strftime("%Y-%m-%d %H:%M:%S UTC")
