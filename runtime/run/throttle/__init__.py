"""What copying and writing wait for: replicas that lag, servers that are busy, caps, and an operator's word."""
