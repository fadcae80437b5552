"""Administration: settings, the settings of single agents, and keys."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import PlainTextResponse

from tacit.api.calls.administration import Settings
from tacit.api.server_status import Agent, AgentSettings, SettingsCheck, SettingsReport
from tacit.core.errors import ConfigChanged, InvalidInput
from tacit.core.keys import Key
from tacit.server.access import ServerAdmin, ServerReader
from tacit.server.problems import WRONG_MEDIA, RequestRefused
from tacit.server.request_input import AgentId, CheckedRoute, KeyId
from tacit.server.schemas.administration import (
    ChangeAgentRequest,
    ChangeSettingsRequest,
    CreatedKeyResponse,
    CreateKeyRequest,
)
from tacit.server.schemas.common import IfMatch, problem_responses
from tacit.server.schemas.values import items_of, page_of, response_of

agents_router = APIRouter(prefix="/v1/agents", tags=["agents"], route_class=CheckedRoute)


@agents_router.get("", response_model=items_of(Agent), responses=problem_responses())
def list_agents(caller: ServerReader) -> dict[str, Any]:
    """The agents named in the settings file."""
    return {"items": [each.to_dict() for each in caller.service.root.settings.agents()]}


@agents_router.get(
    "/{agent}/config",
    response_model=response_of(AgentSettings),
    responses=problem_responses(404),
    name="show",
)
def show_agent(id: AgentId, caller: ServerReader, response: Response) -> dict[str, Any]:
    """The settings of an agent; without overrides, the general ones."""
    return _to_agent_response(caller.service.root.settings.agent(id), response)


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
    settings = caller.service.root.settings
    found = settings.change_agent(
        id,
        body.memory_injection,
        reset=body.reset_memory_injection_override,
        version=_expected_version(settings, if_match),
    )
    return _to_agent_response(found, response)


def _to_agent_response(found: AgentSettings, response: Response) -> dict[str, Any]:
    return _with_version(found.version, found.to_dict(), response)


# Keys


keys_router = APIRouter(prefix="/v1/keys", tags=["keys"], route_class=CheckedRoute)


@keys_router.get("", response_model=page_of(Key), responses=problem_responses())
def list_keys(caller: ServerAdmin) -> dict[str, Any]:
    """All keys, oldest first, including revoked ones."""
    return {"items": [key.to_dict() for key in caller.service.root.keys.list()]}


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
    return _to_settings_response(caller.service.root.settings.show(), response)


@settings_router.put(
    "", response_model=response_of(SettingsReport), responses=problem_responses(412), name="change"
)
def change_settings(
    body: ChangeSettingsRequest, caller: ServerAdmin, response: Response, if_match: IfMatch = None
) -> dict[str, Any]:
    """Change settings, all or none; in force from the next turn on."""
    settings = caller.service.root.settings
    report = settings.change(body.tables(), version=_expected_version(settings, if_match))
    return _to_settings_response(report, response)


@settings_router.get(
    "/raw", response_class=PlainTextResponse, responses=problem_responses(), name="read"
)
def read_settings_file(caller: ServerReader) -> Response:
    """The text of the settings file, valid or not; empty if there is none."""
    found = caller.service.root.settings.read_file()
    return PlainTextResponse(found.text, headers={"ETag": _etag(found.version)})


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
    settings = caller.service.root.settings
    report = settings.write_file(text, version=_expected_version(settings, if_match))
    return _to_settings_response(report, response)


@settings_router.post(
    "/check",
    response_model=response_of(SettingsCheck),
    responses=problem_responses(),
    openapi_extra=_TAKES_TEXT,
    name="check",
)
def check_settings_file(caller: ServerReader, text: PlainText) -> dict[str, Any]:
    """Check a text for the settings file; nothing is written."""
    return caller.service.root.settings.check_file(text).to_dict()


def _to_settings_response(report: SettingsReport, response: Response) -> dict[str, Any]:
    return _with_version(report.version, report.to_dict(), response)


# Versions


_ANY = "*"


def _with_version(version: str | None, body: dict[str, Any], response: Response) -> dict[str, Any]:
    """The body; the version becomes the ETag of the response."""
    if version is not None:
        response.headers["ETag"] = _etag(version)
    return body


def _etag(version: str) -> str:
    return f'"{version}"'


def _expected_version(settings: Settings, if_match: str | None) -> str | None:
    """The version that the file must still have when it is written, of those that were read."""
    if if_match is None or if_match.strip() == _ANY:
        return None
    known = [tag.strip().strip('"') for tag in if_match.split(",")]
    found = settings.show()
    if found.version not in known:
        raise ConfigChanged(f"{found.path}: is not what you had read; read it again")
    return found.version
