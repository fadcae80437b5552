"""Workspaces."""

from typing import Any

from fastapi import APIRouter

from tacit.server.access import ServerReader
from tacit.server.models.common import problems
from tacit.server.models.workspaces import WorkspacesShape

router = APIRouter(prefix="/v1/workspaces", tags=["workspaces"])


@router.get("", response_model=WorkspacesShape, responses=problems())
def list_workspaces(caller: ServerReader) -> dict[str, Any]:
    """Every workspace that was ever written to, by name."""
    return {"items": list(caller.service.root.workspaces())}
