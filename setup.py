"""The packages of the wheel, found: `specs`, `compiler` and `runtime` become packages of `shardwright`. All else is
in pyproject.toml, which can find packages only under the names of their folders.
"""

from setuptools import find_packages, setup

PARTS = ("specs", "compiler", "runtime")

setup(
    packages=[
        package
        for part in PARTS
        for package in (f"shardwright.{part}", *(f"shardwright.{part}.{below}" for below in find_packages(part)))
    ]
)
