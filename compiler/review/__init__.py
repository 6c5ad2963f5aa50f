"""What reviewers and CI look at: the lock file, the difference between two versions, reports of findings.

Compares and prints plans; makes none.
"""
