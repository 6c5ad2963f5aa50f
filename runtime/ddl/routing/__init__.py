"""Numbered DDL changes, routed to every physical table and recorded for each.

Runs in the driver; writes DDL and its record to shards.
"""
