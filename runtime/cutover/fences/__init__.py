"""What stops users' writes on the servers of one side, while our own account passes? One module for each kind.

Runs in the driver; writes triggers, a variable or account locks on the fenced servers, and kills users' connections.
"""
