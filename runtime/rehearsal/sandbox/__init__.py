"""Sandbox: database servers in a folder of their own, for demos, tests and rehearsals of a spec."""
