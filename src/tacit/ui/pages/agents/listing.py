"""The agents that the settings file names, and a box for any other."""

import asyncio

from nicegui import ui

from tacit.api.client.server.agents import Agent
from tacit.core.errors import InvalidInput
from tacit.core.memory.fields import check
from tacit.settings.config.config import Source
from tacit.ui.addresses import agent_at
from tacit.ui.asking import ask
from tacit.ui.kit.button import button
from tacit.ui.kit.card import card, empty
from tacit.ui.kit.control import Control, Kind
from tacit.ui.kit.element import box, link, say
from tacit.ui.kit.table import table
from tacit.ui.pages.agents.status import counted, status
from tacit.ui.visit import Visit

_ABOUT = "Every agent goes by the defaults under Settings, but for what it has of its own."


async def build(visit: Visit) -> None:
    """Each agent with its status, and a way to any other."""
    agents = await ask(visit.server.agents)
    own = await asyncio.gather(*(_own(visit, each) for each in agents))
    with card("Agents with an entry", _ABOUT):
        if agents:
            _table(visit, {each.id: number for each, number in zip(agents, own, strict=True)})
        else:
            empty(
                "Every agent uses the defaults",
                "Name an agent below to see its settings, or to give it some of its own.",
            )
    _other(visit)


async def _own(visit: Visit, agent: Agent) -> int:
    """How many settings an agent has of its own."""
    if not agent.is_overridden:
        return 0
    found = await ask(visit.server.agent, agent.id)
    return list(found.sources.values()).count(Source.AGENT)


def _table(visit: Visit, own: dict[str, int]) -> None:
    with table("Agents", ("Agent", "Status", "Differs in")):
        for id, number in own.items():
            with box(tag="tr"):
                with box(tag="th", scope="row"):
                    link(id, agent_at(visit, id), "breaking")
                with box(tag="td"):
                    status(number)
                say(counted(number) if number else "nothing", tag="td")


def _other(visit: Visit) -> None:
    async def show() -> None:
        try:
            id = check("agent", str(named.value or "").strip())
        except InvalidInput as error:
            named.object_to(error.problem)
            return
        ui.navigate.to(agent_at(visit, id))

    with (
        card("Another agent", "Any name that a program gives its turns, such as reviewer."),
        box("row ends"),
    ):
        named = Control(Kind.TEXT, "Name of the agent", "", on_enter=show)
        button("Show its settings", show)
