"""A table of the source while DDL statements of its log are followed."""
