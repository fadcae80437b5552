"""Administration: settings, the settings of single agents, and keys."""

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import PlainTextResponse

from tacit.api.server_status import Agent, AgentSettings, SettingsReport
from tacit.core.errors import InvalidInput
from tacit.core.fields import check_field
from tacit.core.keys import Key
from tacit.server.access import ServerAdmin, ServerReader
from tacit.server.problems import WRONG_MEDIA, RequestRefused
from tacit.server.request_input import AgentId, CheckedRoute, KeyId
from tacit.server.schemas.administration import (
    ChangeAgentRequest,
    ChangeSettingsRequest,
    CreatedKeyResponse,
    CreateKeyRequest,
    SettingsCheckResponse,
)
from tacit.server.schemas.common import IfMatch, problem_responses
from tacit.server.schemas.values import items_of, page_of, response_of
from tacit.server.service import Service
from tacit.server.settings_file import etag
from tacit.settings.config import Config, SettingsTable, list_settings
from tacit.settings.config_file import Change

agents_router = APIRouter(prefix="/v1/agents", tags=["agents"], route_class=CheckedRoute)


@agents_router.get("", response_model=items_of(Agent), responses=problem_responses())
def list_agents(caller: ServerReader) -> dict[str, Any]:
    """The agents named in the settings file."""
    config = caller.service.config
    return {"items": [_to_agent(config, id).to_dict() for id in config.agents]}


@agents_router.get(
    "/{agent}/config",
    response_model=response_of(AgentSettings),
    responses=problem_responses(404),
    name="show",
)
def show_agent(id: AgentId, caller: ServerReader, response: Response) -> dict[str, Any]:
    """The settings of an agent; without overrides, the general ones."""
    agent = check_field("agent", id)
    return _to_agent_response(caller.service, agent, caller.service.file.version(), response)


@agents_router.put(
    "/{agent}/config",
    response_model=response_of(AgentSettings),
    responses=problem_responses(404, 412),
    name="change",
)
def change_agent(
    id: AgentId,
    body: ChangeAgentRequest,
    caller: ServerAdmin,
    response: Response,
    if_match: IfMatch = None,
) -> dict[str, Any]:
    """Change an agent's own settings, all or none."""
    agent = check_field("agent", id)
    changes = body.changes(agent)
    version = caller.service.file.change(changes, if_match)
    left_out = [
        warning for change in changes if isinstance(change, Change) for warning in change.warnings
    ]
    return _to_agent_response(caller.service, agent, version, response, left_out)


def _to_agent(config: Config, id: str) -> Agent:
    return Agent(id=id, is_overridden=bool(config.overrides.get(id)))


def _to_agent_response(
    service: Service,
    id: str,
    version: str | None,
    response: Response,
    left_out: Sequence[str] = (),
) -> dict[str, Any]:
    """The current settings, never older than the version returned with them."""
    if version is not None:
        response.headers["ETag"] = etag(version)
    config = service.config
    found = list_settings(config, SettingsTable.MEMORY_INJECTION, id)
    return AgentSettings(
        id=id,
        is_overridden=_to_agent(config, id).is_overridden,
        values={name: each.value for name, each in found.items()},
        sources={name: each.source for name, each in found.items()},
        warnings=(*left_out, *config.warnings),
        version=version,
    ).to_dict()


# Keys


keys_router = APIRouter(prefix="/v1/keys", tags=["keys"], route_class=CheckedRoute)


@keys_router.get("", response_model=page_of(Key), responses=problem_responses())
def list_keys(caller: ServerAdmin) -> dict[str, Any]:
    """All keys, oldest first, including revoked ones."""
    return {"items": [key.to_dict() for key in caller.service.root.keys.all()]}


@keys_router.post(
    "",
    status_code=201,
    response_model=CreatedKeyResponse,
    responses=problem_responses(409),
    name="make",
)
def create_key(body: CreateKeyRequest, caller: ServerAdmin) -> dict[str, Any]:
    """Create a key; its token is in this response only and never shown again.

    Sent again the request is refused, since the name is taken.
    """
    key, token = caller.service.root.keys.add(
        body.name,
        body.role,
        workspace=body.workspace,
        agent=body.agent,
        user=body.user,
        speaks_for_users=body.speaks_for_users,
    )
    caller.service.key_cache.clear()
    return {"key": key.to_dict(), "token": token}


@keys_router.delete("/{key_id}", status_code=204, responses=problem_responses(404), name="revoke")
def revoke_key(id: KeyId, caller: ServerAdmin) -> None:
    """Revoke a key; other server processes notice within a second."""
    caller.service.root.keys.revoke(id)
    caller.service.key_cache.clear()


settings_router = APIRouter(prefix="/v1/settings", tags=["settings"], route_class=CheckedRoute)

_PLAIN = "text/plain"
_TAKES_TEXT: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            _PLAIN: {
                "schema": {"type": "string"},
                "example": "[defaults.memory_injection]\nmax_total = 5\n",
            }
        },
    }
}


async def _read_text(request: Request) -> str:
    """The body as text."""
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != _PLAIN:
        raise RequestRefused(WRONG_MEDIA, f"send the text of the file as {_PLAIN}")
    try:
        return (await request.body()).decode()
    except UnicodeDecodeError:
        raise InvalidInput("body", "is not UTF-8 text; send UTF-8") from None


PlainText = Annotated[str, Depends(_read_text)]


@settings_router.get(
    "", response_model=response_of(SettingsReport), responses=problem_responses(), name="show"
)
def show_settings(caller: ServerReader, response: Response) -> dict[str, Any]:
    """Every setting with its value, its source and the values it accepts."""
    return _to_settings_response(caller.service, caller.service.file.version(), response)


@settings_router.put(
    "", response_model=response_of(SettingsReport), responses=problem_responses(412), name="change"
)
def change_settings(
    body: ChangeSettingsRequest, caller: ServerAdmin, response: Response, if_match: IfMatch = None
) -> dict[str, Any]:
    """Change settings, all or none; in force from the next turn on."""
    changes = body.changes()
    version = caller.service.file.change(changes, if_match)
    left_out = [warning for change in changes for warning in change.warnings]
    return _to_settings_response(caller.service, version, response, left_out)


@settings_router.get(
    "/raw", response_class=PlainTextResponse, responses=problem_responses(), name="read"
)
def read_settings_file(caller: ServerReader) -> Response:
    """The text of the settings file, valid or not; empty if there is none."""
    edition = caller.service.file.read()
    return PlainTextResponse(edition.text, headers={"ETag": etag(edition.version)})


@settings_router.put(
    "/raw",
    response_model=response_of(SettingsReport),
    responses=problem_responses(412),
    openapi_extra=_TAKES_TEXT,
    name="write",
)
def write_settings_file(
    caller: ServerAdmin, text: PlainText, response: Response, if_match: IfMatch = None
) -> dict[str, Any]:
    """Replace the text of the settings file, if it is valid."""
    version = caller.service.file.write(text, if_match)
    return _to_settings_response(caller.service, version, response)


@settings_router.post(
    "/check",
    response_model=SettingsCheckResponse,
    responses=problem_responses(),
    openapi_extra=_TAKES_TEXT,
    name="check",
)
def check_settings_file(caller: ServerReader, text: PlainText) -> dict[str, Any]:
    """Check a text for the settings file; nothing is written."""
    problem, warnings = caller.service.file.check(text)
    return {"ok": problem is None, "problem": problem, "warnings": warnings}


def _to_settings_response(
    service: Service, version: str | None, response: Response, left_out: Sequence[str] = ()
) -> dict[str, Any]:
    """The current settings, never older than the version returned with them."""
    if version is not None:
        response.headers["ETag"] = etag(version)
    state = service.state
    project = state.config.project.path
    return SettingsReport(
        path=str(service.file.path),
        version=version,
        problem=state.problem,
        project=None if project is None else str(project),
        ignored=tuple(state.config.ignored),
        tables={table: list_settings(state.config, table) for table in SettingsTable},
        agents=tuple(state.config.agents),
        warnings=(*left_out, *state.config.warnings),
    ).to_dict()
