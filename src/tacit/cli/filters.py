"""Options that say which memories are meant."""

from collections.abc import Callable
from typing import Annotated, Any

import typer

from tacit.cli import options as opt
from tacit.core.kinds import Actor, Trust

_FILTERS: dict[str, Any] = {
    "types": Annotated[
        list[str] | None, typer.Option("--type", "-t", help="Of this type; repeatable.")
    ],
    "contains": Annotated[
        str | None,
        typer.Option(help="With this in its words, key or tags."),
    ],
    "scope": opt.InScope,
    "scope_id": opt.ScopeId,
    "agent": Annotated[str | None, typer.Option(help="What this agent may see.")],
    "user": Annotated[str | None, typer.Option(help="What this user may see.")],
    "key": Annotated[str | None, typer.Option("--key", "-k", help="With this key.")],
    "tag": Annotated[str | None, typer.Option(help="With this tag.")],
    "pinned": Annotated[
        bool | None,
        typer.Option("--pinned/--not-pinned", help="Pinned or not.", show_default=False),
    ],
    "source": Annotated[
        Actor | None, typer.Option(metavar="WHO", help=f"Written by: {', '.join(Actor)}.")
    ],
    "trust": Annotated[
        Trust | None, typer.Option(metavar="TRUST", help=f"One of {', '.join(Trust)}.")
    ],
    "explicit": Annotated[
        bool | None,
        typer.Option(
            "--explicit/--not-explicit", help="Written by a person or not.", show_default=False
        ),
    ],
    "session": Annotated[str | None, typer.Option(help="Said in this session.")],
    "expires": Annotated[
        bool | None,
        typer.Option("--expires/--lasts", help="With a time to expire or not.", show_default=False),
    ],
    "min_importance": Annotated[float | None, typer.Option(help="0 to 1.")],
    "max_importance": Annotated[float | None, typer.Option(help="0 to 1.")],
    "min_confidence": Annotated[float | None, typer.Option(help="0 to 1.")],
    "created_from": Annotated[
        str | None, typer.Option(metavar="DATE", help="Written then or later.")
    ],
    "created_to": Annotated[str | None, typer.Option(metavar="DATE", help="Written before then.")],
    "updated_from": Annotated[
        str | None, typer.Option(metavar="DATE", help="Changed then or later.")
    ],
}
_DATES = dict.fromkeys(("created_from", "created_to", "updated_from"), opt.local)


_UNFIT = ("agent", "user", "session")
"""Agents and users see more than their own, and a session is erased as a whole."""


def takes_conditions(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that erases and has `**filters` an option for each that fits."""
    fit = {name: option for name, option in _FILTERS.items() if name not in _UNFIT}
    return opt.taking(fit, _DATES, command)


def takes_assignable(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that assigns and has `**filters` an option for each that fits."""
    whose = ("scope", "scope_id", "agent", "user")
    fit = {name: option for name, option in _FILTERS.items() if name not in whose}
    return opt.taking(fit, _DATES, command)


def takes_filters(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that has `**filters` an option for each."""
    return opt.taking(_FILTERS, _DATES, command)
