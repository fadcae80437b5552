"""The client: the calls of a memory that is served elsewhere."""

from tacit.client.remote import RemoteTacit

__all__ = ["RemoteTacit"]
