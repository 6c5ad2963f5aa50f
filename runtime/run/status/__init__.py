"""Where a migration stands, read from ledgers and source while a run is under way, or when none is. Reads only."""
