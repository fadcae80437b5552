"""Takes the place of the handling of events in every process that is started with this folder."""

import logging
import sys
import time
import types
import warnings


def handle(tacit, client, body, spool=None):
    """Do what the event says, making all the noise that libraries make."""
    event = body["event"]
    print("printed")
    warnings.warn("warned", stacklevel=1)
    logging.getLogger("tacit.hooks").warning("logged")
    if content := event.get("remember"):
        tacit.remember(content)
    time.sleep(event.get("sleep", 0))
    if event.get("fail"):
        raise RuntimeError(event["fail"])
    return event.get("answer", "").format(
        client=client, served=tacit.workspace.name, count=len(tacit.list()), **body
    )


sys.modules["tacit.integrations.hooks.event_handler"] = types.SimpleNamespace(
    handle_event=handle, record_waiting_prompts=lambda *_: None
)
