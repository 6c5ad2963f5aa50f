"""Packages that compiling does without: what to say when a command needs one that is not there."""

from __future__ import annotations

_OF_THE_EXTRA = frozenset({"pyspark", "py4j", "pandas", "numpy", "pyarrow", "pymysql", "rich", "tenacity"})


def missing_extra(error: ModuleNotFoundError) -> str | None:
    """The message for a package of the extra `runtime`; None for any other module, which is a bug of ours."""
    package = (error.name or "").partition(".")[0]
    if package not in _OF_THE_EXTRA:
        return None
    return (
        f"this command needs Spark and a database driver, and '{package}' is not installed: "
        'pip install "shardwright[runtime]"'
    )
