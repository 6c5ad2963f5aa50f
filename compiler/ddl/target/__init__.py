"""The target's CREATE TABLE, from the source's."""
