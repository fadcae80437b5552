"""Fits the network that tells whether a message holds somebody else's text.

    python -m tools.authorship train FILE    # the weights that are part of the package
    python -m tools.authorship show          # how well it does on each writer, fitted without them

The messages are in `data/`, one file a writer: some hand over a text in many ways, others are the
person's own and look alike. The development half of `tacit eval authorship` is used as well; the
held half never is.
"""
