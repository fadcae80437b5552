"""An event of a coding CLI, from what the client wrote to what it should read."""

import logging
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from tacit.api.tacit import Tacit
from tacit.integrations.hooks.clients import CLIENTS
from tacit.integrations.hooks.clients.client import Client, Reading
from tacit.integrations.hooks.course import Course, Place
from tacit.integrations.hooks.folder_work import folder_of, folder_work, note_root
from tacit.integrations.hooks.memo import Memo
from tacit.integrations.hooks.project import Project, project_of
from tacit.integrations.hooks.trouble import told
from tacit.integrations.workflows.library import Library
from tacit.integrations.workflows.trigger import Trigger
from tacit.runtime.deadline import Deadline

_log = logging.getLogger("tacit.hooks")

_SHARE = 0.8
"""So much of a client's patience is ours; the rest is for the way there and back."""


def handle(tacit: Tacit, client: str, body: Mapping[str, Any]) -> str:
    """What a client should print for an event, nothing where memory has nothing to say or fails."""
    known, raw = CLIENTS.get(client), body.get("event")
    if known is None or not isinstance(raw, Mapping):
        return ""
    try:
        readings = known.read(raw)
        return _handled(tacit, known, raw, readings, body) if readings else ""
    except Exception as error:  # the prompt goes on, whatever happens to memory
        _log.warning("an event of %s was left alone: %s", client, told(error))
        return ""


def _handled(
    tacit: Tacit,
    client: Client,
    raw: Mapping[str, Any],
    readings: tuple[Reading, ...],
    body: Mapping[str, Any],
) -> str:
    deadline = Deadline(_SHARE * _patience(client, raw, body))
    folder = folder_of(raw, body)
    project = folder_work(deadline, folder, "git", lambda: project_of(tacit, folder))
    note_root(folder, project.root)
    place = _place(client, readings[0].session, project, folder, body)
    if deadline.run(lambda: tacit.is_paused(session=place.session, project=place.project.id)):
        return ""
    memo = Memo.of(deadline.run(lambda: tacit.variables(place.session)))
    root = project.root
    lifecycle = folder_work(deadline, root, "workflows", lambda: _library().lifecycle(root))
    course = Course(tacit, place, lifecycle, deadline, memo)
    for reading in readings:
        course.take(reading)
    course.keep()
    begins = any(each.trigger is Trigger.SESSION_START for each in readings)
    notices = (project.notice if begins else "", course.notice)
    return client.answer(raw, course.text, notice="\n".join(filter(None, notices)))


def _place(
    client: Client, session: str, project: Project, folder: Path, body: Mapping[str, Any]
) -> Place:
    own = body.get("settings_folder")
    user = body.get("user")
    return Place(
        client=client,
        session=session,
        project=project,
        folder=folder,
        own=Path(own) if isinstance(own, str) and own else None,
        user=user if isinstance(user, str) and user else None,
    )


def _patience(client: Client, raw: Mapping[str, Any], body: Mapping[str, Any]) -> float:
    """How many seconds the client waits, as its hook says, else as we know it."""
    match body.get("seconds"):
        case int() | float() as seconds if seconds > 0:
            return float(seconds)
        case _:
            return client.time_for(str(raw.get("hook_event_name")))


@cache
def _library() -> Library:
    """One for the process: it reads files again only when they have changed."""
    return Library()
