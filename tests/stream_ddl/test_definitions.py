"""What the stream brings of a column's definition: narrower types, character sets, defaults, and clauses with IF
EXISTS. After each statement the schema file gets what the source's server prints, and the run must accept it: then the
targets have it, too (hazards C5, E14, E15).
"""

from __future__ import annotations

import pytest

from shardwright.runtime.failpoints import VARIABLE
from shardwright.runtime.failures import Refused, StoppedPartWay
from shardwright.specs.findings.codes.registry import CODES
from tests.servers.testbed import is_mariadb
from tests.stream_ddl.conftest import DdlLab, MakeLab
from tests.stream_ddl.test_gate import AtTheGate

pytestmark = [pytest.mark.server]
