"""Workspaces."""

from pydantic import Field

from tacit.server.models.common import Told


class WorkspacesShape(Told):
    """Workspaces by their names."""

    items: list[str] = Field(examples=[["default", "shop"]])
