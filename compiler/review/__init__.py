"""What reviewers and CI look at: the difference between two versions, and reports of findings.

Compares and prints plans; makes none.
"""
