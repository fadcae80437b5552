"""The account of one turn: everything it decided, and why; and what many turns did together."""
