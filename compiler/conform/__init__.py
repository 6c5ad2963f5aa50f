"""What becomes of the application's statements when their tables are on shards? One verdict for each, with the reason."""
