"""Who may come in from outside: keys, what they open, and the secrets that prove them."""
