"""The client: the calls of a memory that is served elsewhere."""
