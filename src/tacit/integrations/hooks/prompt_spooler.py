"""Keeps a prompt that was not taken in time, so that the daemon can record it later.

The hook starts this as a process of its own when it gives up: nobody waits for it, so secrets can
be redacted before anything is written.
"""

import json
import logging
import os
import sys
from collections.abc import Mapping
from typing import Any

from tacit.core.errors import PlaceRefused
from tacit.integrations.hooks.clients import CLIENTS
from tacit.integrations.hooks.daemon_client import describe_error
from tacit.integrations.workflows.events import WorkflowTrigger
from tacit.runtime.clock import system_clock
from tacit.runtime.files import default_database_path, default_log_path
from tacit.runtime.logs import log_to_file
from tacit.runtime.prompt_spool import PromptSpool, SpooledPrompt

_log = logging.getLogger("tacit.hooks")


def spool_of_environment(environment: Mapping[str, str]) -> PromptSpool:
    """The spool of the database that hooks use in this environment."""
    location = environment.get("TACIT_DB") or str(default_database_path())
    return PromptSpool.of_database(location, environment)


def spool_prompt(spool: PromptSpool, client: str, body: Mapping[str, Any], cause: str) -> bool:
    """Keep the prompt of an event, if it is one and may be kept; returns whether it was."""
    known, raw = CLIENTS.get(client), body.get("event")
    if known is None or not isinstance(raw, Mapping) or not body.get("id"):
        return False
    events = known.read_events({**raw, "transcript_path": ""})
    prompts = [each for each in events if each.trigger is WorkflowTrigger.BEFORE_AGENT]
    if not prompts:
        return False
    (event,) = prompts
    folder = raw.get("cwd") or body.get("cwd")
    waiting = SpooledPrompt(
        id=str(body["id"]),
        at=system_clock(),
        client=client,
        workspace=str(body.get("workspace") or "default"),
        session=event.session,
        prompt=str(event.data["prompt"]),
        user=body.get("user") or None,
        folder=None if folder is None else str(folder),
        cause=cause,
    )
    try:
        return spool.add(waiting)
    except (OSError, PlaceRefused) as error:
        _log.warning("a prompt of %s could not be kept: %s", client, describe_error(error))
        return False


def main() -> None:
    """Keep the prompt that standard input describes."""
    log_to_file(default_log_path())
    told = json.load(sys.stdin.buffer)
    spool_prompt(spool_of_environment(os.environ), told["client"], told["body"], told["cause"])


if __name__ == "__main__":
    main()
