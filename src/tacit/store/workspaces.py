"""Workspaces as people name them, and those beside them: their documents, episodes and items."""

from tacit.store.protocols.store import Store

_SEPARATOR = "\x1f"
"""No valid workspace name contains this character."""


def documents_workspace(workspace: str) -> str:
    """The workspace that holds the documents of a workspace, apart from its memories."""
    return f"{workspace}{_SEPARATOR}documents"


def episodes_workspace(workspace: str) -> str:
    """The workspace that holds the episodes of a workspace, apart from its memories."""
    return f"{workspace}{_SEPARATOR}episodes"


def items_workspace(workspace: str) -> str:
    """The workspace that holds the items of a workspace, apart from its memories."""
    return f"{workspace}{_SEPARATOR}items"


def list_places(workspace: str) -> tuple[str, ...]:
    """A workspace as people name it, and those beside it."""
    beside = (episodes_workspace, documents_workspace, items_workspace)
    return (workspace, *(each(workspace) for each in beside))


def tenant_of(workspace: str) -> str:
    """The workspace as people name it, of one or of what is beside it."""
    return workspace.partition(_SEPARATOR)[0]


def list_tenants(store: Store) -> list[str]:
    """The workspaces that memories or items were ever written to, by name."""
    names = set(store.workspaces())
    tenants = set(map(tenant_of, names))
    return sorted(name for name in tenants if names & {name, items_workspace(name)})
