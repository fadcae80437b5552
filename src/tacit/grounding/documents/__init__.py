"""Documents: the files of a workspace as a second corpus of the same search."""
