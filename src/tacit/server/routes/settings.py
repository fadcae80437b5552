"""Settings: show, change, and the text of their file."""

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import PlainTextResponse

from tacit.core.errors import InvalidInput
from tacit.server.access import ServerAdmin, ServerReader
from tacit.server.bodies import CheckedRoute
from tacit.server.models.common import IfMatch, problems
from tacit.server.models.settings import ChangingSettings, Checked, SettingsShape
from tacit.server.problems import WRONG_MEDIA, Refusal
from tacit.server.service import Service
from tacit.server.settings_file import etag
from tacit.settings.config import SettingsTable, list_settings

router = APIRouter(prefix="/v1/settings", tags=["settings"], route_class=CheckedRoute)

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


async def _text(request: Request) -> str:
    """The body as it is."""
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != _PLAIN:
        raise Refusal(WRONG_MEDIA, f"send the text of the file as {_PLAIN}")
    try:
        return (await request.body()).decode()
    except UnicodeDecodeError:
        raise InvalidInput("body", "is not UTF-8 text; send UTF-8") from None


PlainText = Annotated[str, Depends(_text)]


@router.get("", response_model=SettingsShape, responses=problems())
def show(caller: ServerReader, response: Response) -> dict[str, Any]:
    """Every setting with its value, where that comes from, and what it takes."""
    return _told(caller.service, caller.service.file.version(), response)


@router.put("", response_model=SettingsShape, responses=problems(412))
def change(
    asked: ChangingSettings, caller: ServerAdmin, response: Response, if_match: IfMatch = None
) -> dict[str, Any]:
    """Change what is named, all of it or nothing; in force from the next turn on."""
    changes = asked.changes()
    version = caller.service.file.change(changes, if_match)
    left_out = [warning for change in changes for warning in change.warnings]
    return _told(caller.service, version, response, left_out)


@router.get("/raw", response_class=PlainTextResponse, responses=problems())
def read(caller: ServerReader) -> Response:
    """The text of the file, valid or not; where there is no file, nothing."""
    edition = caller.service.file.read()
    return PlainTextResponse(edition.text, headers={"ETag": etag(edition.version)})


@router.put(
    "/raw",
    response_model=SettingsShape,
    responses=problems(412),
    openapi_extra=_TAKES_TEXT,
)
def write(
    caller: ServerAdmin, text: PlainText, response: Response, if_match: IfMatch = None
) -> dict[str, Any]:
    """Replace the text of the file, if it is valid."""
    version = caller.service.file.write(text, if_match)
    return _told(caller.service, version, response)


@router.post("/check", response_model=Checked, responses=problems(), openapi_extra=_TAKES_TEXT)
def check(caller: ServerReader, text: PlainText) -> dict[str, Any]:
    """Say what is wrong with a text; nothing is written."""
    problem, warnings = caller.service.file.check(text)
    return {"ok": problem is None, "problem": problem, "warnings": warnings}


def _told(
    service: Service, version: str | None, response: Response, left_out: Sequence[str] = ()
) -> dict[str, Any]:
    """The settings in force, never older than the version that is told with them."""
    if version is not None:
        response.headers["ETag"] = etag(version)
    state = service.state
    project = state.config.project.path
    return {
        "path": str(service.file.path),
        "version": version,
        "problem": state.problem and state.problem.to_dict(),
        "project": None if project is None else str(project),
        "ignored": [each.to_dict() for each in state.config.ignored],
        "tables": {
            table: {
                name: each.to_dict() for name, each in list_settings(state.config, table).items()
            }
            for table in SettingsTable
        },
        "agents": list(state.config.agents),
        "warnings": [*left_out, *state.config.warnings],
    }
