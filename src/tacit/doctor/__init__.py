"""Finding what is wrong with an installation, and saying how to mend it."""
