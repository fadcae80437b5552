"""A profile: what is known of a person, by kind."""

from dataclasses import dataclass
from typing import Annotated

from tacit.core.json_value import JsonValue
from tacit.core.memory import Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile(JsonValue):
    """What is known of a user, the most important first, and the same as text for a prompt."""

    user: Annotated[str | None, "Whose profile it is; none in a store for one person."] = None
    identity: tuple[Memory, ...] = ()
    preferences: tuple[Memory, ...] = ()
    rules: Annotated[tuple[Memory, ...], "Constraints that hold whatever is asked."] = ()
    facts: Annotated[tuple[Memory, ...], "Facts, goals and decisions that hold now."] = ()
    todos: Annotated[tuple[Memory, ...], "What is still to be done."] = ()
    text: Annotated[
        str, "All of it, a line each, with its source and day; empty if nothing is known."
    ] = ""

    @property
    def memories(self) -> tuple[Memory, ...]:
        """All memories of the profile, in the order of the text."""
        return tuple(each for section in PROFILE_SECTIONS for each in getattr(self, section))


PROFILE_SECTIONS = ("identity", "rules", "preferences", "facts", "todos")
"""The kinds of memories in a profile, in the order of the text."""
