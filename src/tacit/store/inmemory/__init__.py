"""A store in plain dictionaries: the fake to test with, and proof that the contract is portable."""
