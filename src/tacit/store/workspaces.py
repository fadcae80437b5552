"""Workspaces as people name them, and those beside them that hold their documents."""

from tacit.store.protocols.store import Store

_SEPARATOR = "\x1f"
"""No valid workspace name contains this character."""


def documents_workspace(workspace: str) -> str:
    """The workspace that holds the documents of a workspace, apart from its memories."""
    return f"{workspace}{_SEPARATOR}documents"


def list_tenants(store: Store) -> list[str]:
    """The workspaces that were ever written to, by name, without those that hold documents."""
    return [name for name in store.workspaces() if _SEPARATOR not in name]
