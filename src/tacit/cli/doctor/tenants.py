"""The workspaces of a store, as far as there is time for them."""

from collections.abc import Sequence

from tacit.store.protocols.store import Store
from tacit.store.workspaces import list_tenants

MOST_WORKSPACES = 1_000
"""How many are examined; there may be millions."""

_MOST_NAMES = 3


def examined(store: Store) -> tuple[list[str], str]:
    """The workspaces to examine, and how to speak of them."""
    names = list_tenants(store)
    if len(names) > MOST_WORKSPACES:
        return names[
            :MOST_WORKSPACES
        ], f"the first {MOST_WORKSPACES:,} of {len(names):,} workspaces"
    return names, counted(len(names), "workspace")


def counted(number: int, noun: str) -> str:
    """A number of things, in the singular where there is one."""
    plural = noun.removesuffix("y") + "ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def listed(names: Sequence[str]) -> str:
    """The first of several names."""
    more = ", …" if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more
