"""What a server says of a database that is not sharded yet, and the page of advice about it."""
