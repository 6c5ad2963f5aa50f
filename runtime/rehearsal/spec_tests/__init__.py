"""Spec tests: what does a plan's own Spark SQL make of given rows and events? A team writes what it expects."""
