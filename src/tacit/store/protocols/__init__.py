"""What a backend must offer: rows in, rows out, all of one workspace, in one transaction.

A backend decides nothing. What a change means (its audit row, its index terms) is in the
journal, once, for all of them.
"""
