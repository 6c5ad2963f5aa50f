"""What a run says of its progress: events, and listeners that print them or write them as JSON lines. Writes no database."""
