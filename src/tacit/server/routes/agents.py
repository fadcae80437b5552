"""Agents: the settings that each goes by."""

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Response

from tacit.core.fields import check_field
from tacit.server.access import ServerAdmin, ServerReader
from tacit.server.bodies import CheckedRoute
from tacit.server.models.common import IfMatch, problems
from tacit.server.models.settings import AgentConfigShape, AgentsShape, ChangingAgent
from tacit.server.names import AgentId
from tacit.server.service import Service
from tacit.server.settings_file import etag
from tacit.settings.config import Config, SettingsTable, list_settings
from tacit.settings.config_file import Change

router = APIRouter(prefix="/v1/agents", tags=["agents"], route_class=CheckedRoute)


@router.get("", response_model=AgentsShape, responses=problems())
def list_agents(caller: ServerReader) -> dict[str, Any]:
    """The agents that the file of settings names."""
    config = caller.service.config
    return {"items": [_agent(config, id) for id in config.agents]}


@router.get("/{id}/config", response_model=AgentConfigShape, responses=problems(404))
def show(id: AgentId, caller: ServerReader, response: Response) -> dict[str, Any]:
    """The settings that an agent goes by; one without any of its own goes by those of all."""
    agent = check_field("agent", id)
    return _told(caller.service, agent, caller.service.file.version(), response)


@router.put("/{id}/config", response_model=AgentConfigShape, responses=problems(404, 412))
def change(
    id: AgentId,
    asked: ChangingAgent,
    caller: ServerAdmin,
    response: Response,
    if_match: IfMatch = None,
) -> dict[str, Any]:
    """Change what is named of an agent's own settings, all of it or nothing."""
    agent = check_field("agent", id)
    changes = asked.changes(agent)
    version = caller.service.file.change(changes, if_match)
    left_out = [
        warning for change in changes if isinstance(change, Change) for warning in change.warnings
    ]
    return _told(caller.service, agent, version, response, left_out)


def _agent(config: Config, id: str) -> dict[str, Any]:
    return {"id": id, "memory_injection_overridden": bool(config.overrides.get(id))}


def _told(
    service: Service,
    id: str,
    version: str | None,
    response: Response,
    left_out: Sequence[str] = (),
) -> dict[str, Any]:
    """The settings in force, never older than the version that is told with them."""
    if version is not None:
        response.headers["ETag"] = etag(version)
    config = service.config
    found = list_settings(config, SettingsTable.MEMORY_INJECTION, id)
    return {
        **_agent(config, id),
        "memory_injection": {name: each.value for name, each in found.items()},
        "sources": {name: each.source for name, each in found.items()},
        "warnings": [*left_out, *config.warnings],
        "version": version,
    }
