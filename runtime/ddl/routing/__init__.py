"""Numbered DDL changes, routed to every physical table and recorded for each."""
