"""Invariants: queries over the targets' tables that source and shards must answer alike."""
