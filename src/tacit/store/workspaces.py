"""Workspaces as people name them, and those beside them that hold their documents."""

from tacit.store.protocols.store import Store

_SEPARATOR = "\x1f"
"""No name that is checked holds this character."""


def documents_workspace(workspace: str) -> str:
    """Where the documents of a workspace are kept, apart from its memories."""
    return f"{workspace}{_SEPARATOR}documents"


def list_tenants(store: Store) -> list[str]:
    """The workspaces that were ever written to, by name, without those that are beside one."""
    return [name for name in store.workspaces() if _SEPARATOR not in name]
