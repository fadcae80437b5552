"""Sessions, their blocks and their ledgers."""

from typing import Any

from pydantic import Field

from tacit.language.compaction import CompactionLevel
from tacit.server.schemas.common import (
    LongList,
    RequestModel,
    ResponseModel,
    SettingsOverrides,
    with_example,
)
from tacit.server.schemas.turns import MessageBody
from tacit.server.schemas.values import model_of
from tacit.turn.compaction import Compaction

CompactionResponse = model_of(Compaction, "Compaction", more={"messages": (list[Any], Field())})


class CompactRequest(RequestModel):
    """A history to compact."""

    model_config = with_example(history=[{"role": "user", "content": "Which database do we use?"}])

    history: LongList[MessageBody]
    agent: str | None = Field(None, description="Whose settings count.")
    level: CompactionLevel | None = Field(
        None, description="By how full the window is, if nothing is said."
    )
    wait: bool = Field(
        True, description="Without it, a summary that is not urgent is written for a later call."
    )
    settings: SettingsOverrides = Field(default_factory=dict)


class ForkRequest(RequestModel):
    """The name of a branch."""

    into: str = Field(examples=["s1-branch"])


class VariablesResponse(ResponseModel):
    """The variables of a session, by name."""

    session: str
    variables: dict[str, Any]


class SetVariablesRequest(RequestModel):
    """Variables to set, by name; null removes one."""

    model_config = with_example(changes={"phase": "review"})

    changes: dict[str, Any]


class SessionEndedResponse(ResponseModel):
    """How many turns of a session wait for a language model to read them."""

    session: str
    waiting: int


class SessionPausedResponse(ResponseModel):
    """Whether a session is paused."""

    session: str
    paused: bool


class SessionResumedResponse(SessionPausedResponse):
    """A resumed session, and whether it was paused before."""

    was_paused: bool


class ProjectPausedResponse(ResponseModel):
    """Whether a project is paused."""

    project: str
    paused: bool


class ProjectResumedResponse(ProjectPausedResponse):
    """A resumed project, and whether it was paused before."""

    was_paused: bool
