"""Before the first write: everything that would fail later, or worse, not fail, is asked now and told as one table."""
