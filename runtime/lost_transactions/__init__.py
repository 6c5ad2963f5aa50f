"""Transactions that were applied, and that the source's new server never had: what they changed is read again by key."""
