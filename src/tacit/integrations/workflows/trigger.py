"""The moments of a session at which workflows run."""

from enum import StrEnum

from tacit.core.errors import InvalidInput


class Trigger(StrEnum):
    """A moment in the life of a session, as a lifecycle file names it."""

    SESSION_START = "on_session_start"
    BEFORE_AGENT = "on_before_agent"
    AFTER_AGENT = "on_after_agent"
    STOP = "on_stop"
    BEFORE_TOOL = "on_before_tool"
    AFTER_TOOL = "on_after_tool"
    PRE_COMPACT = "on_pre_compact"
    SESSION_END = "on_session_end"

    @classmethod
    def named(cls, name: str) -> "Trigger":
        """The trigger of this name, or of one that means the same."""
        known = ALIASES.get(name) or next((each for each in cls if each == name), None)
        if known is None:
            names = ", ".join([*cls, *ALIASES])
            raise InvalidInput("trigger", f"there is none called {name!r}; known: {names}")
        return known


ALIASES = {"on_prompt_submit": Trigger.BEFORE_AGENT}
"""Other names that triggers have."""
