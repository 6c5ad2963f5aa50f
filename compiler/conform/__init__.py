"""What becomes of the application's statements on shards? One verdict for each, with the reason."""
