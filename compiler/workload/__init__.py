"""Which statements does the application execute, how often, and how long do they take? Files of many programs in, one
list of statements out.
"""
