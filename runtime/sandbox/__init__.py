"""Throw-away database servers in a temporary folder, for demos, tests and rehearsals."""
