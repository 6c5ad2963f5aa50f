"""What an operator orders while a migration is under way (`shardwright control`), kept in the first shard's ledger."""
