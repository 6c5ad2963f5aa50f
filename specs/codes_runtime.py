"""SW8xxx: run time. Plans (SW800x), connections and sandbox (SW810x), the binary log (SW811x), the ledgers (SW82xx)."""

from __future__ import annotations

from shardwright.specs.code_entry import Code

RUNTIME: tuple[Code, ...] = (
    Code("SW8001", "there is no plan", "`shardwright compile` writes the plan that `run` executes."),
    Code("SW8002", "the plan was edited", "What runs is what was reviewed: change the spec and compile again."),
    Code("SW8003", "the plan cannot be read", "It is damaged or of another version of the tool: compile again."),
)
