"""Who is notified of what happens? Events become messages of a kind, and channels of the environment deliver them. Each
channel has a thread and a bounded queue, so that the work never waits. Runs in the process of the command; writes
nothing itself: the caller gives it the audit.
"""
