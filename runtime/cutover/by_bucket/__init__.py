"""How do buckets of rows go to the other side, some at a time, while both sides take writes?"""
