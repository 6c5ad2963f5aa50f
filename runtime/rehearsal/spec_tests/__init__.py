"""Spec tests: what a plan's own Spark SQL makes of given rows and events, compared with what a team expects."""
