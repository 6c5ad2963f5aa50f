"""How long a small transaction takes on a shard: a row that is counted up to measure it. The row says nothing about
data, so no token fences it: a run that was superseded may count a beat, too.

Used in the driver, where the throttle measures commits; writes to the shard that is measured.
"""

from __future__ import annotations

from typing import Final

TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS `_shardwright_probe` (only_row TINYINT NOT NULL PRIMARY KEY, beats BIGINT NOT NULL) "
    "ENGINE=InnoDB"
)
BEAT: Final = (
    "INSERT INTO `_shardwright_probe` (only_row, beats) VALUES (1, 1) ON DUPLICATE KEY UPDATE beats = beats + 1"
)
