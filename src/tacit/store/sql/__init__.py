"""What backends that speak SQL share: named queries, migrations, rows, and tables of their own.

Two backends differ in the words of their queries, hardly in what they are asked.
"""
