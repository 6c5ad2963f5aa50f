"""A row that is counted up to see how long a small transaction takes on a shard. It says nothing about data, so no token fences it: a run that
was replaced may count a beat, too. Written in the driver, where the throttle measures commits."""

from __future__ import annotations

from typing import Final

TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS `_shardwright_probe` (only_row TINYINT NOT NULL PRIMARY KEY, beats BIGINT NOT NULL) "
    "ENGINE=InnoDB"
)
BEAT: Final = (
    "INSERT INTO `_shardwright_probe` (only_row, beats) VALUES (1, 1) ON DUPLICATE KEY UPDATE beats = beats + 1"
)
