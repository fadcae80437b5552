"""The command for the embedding model."""

from enum import StrEnum
from typing import Annotated, Any

import typer
from rich.text import Text

from tacit.cli import options as opt
from tacit.cli.output import console, print_json
from tacit.cli.readiness import bar
from tacit.embedding.minilm.embedder import find_model_problems
from tacit.embedding.minilm.model_files import MODEL, ModelCache
from tacit.embedding.minilm.provision import configured_sources, pull_model


class ModelAction(StrEnum):
    """What can be done with the model."""

    PULL = "pull"
    STATUS = "status"
    VERIFY = "verify"


def model(
    action: Annotated[
        ModelAction,
        typer.Argument(help="pull: get and build it; status: show it; verify: check every byte."),
    ],
    as_json: opt.Json = False,
) -> None:
    """Get, show or check the embedding model.

    What is there and whole is not fetched again. Verify ends with exit code 2 if it finds a fault.
    """
    cache = ModelCache.of_user()
    if action is ModelAction.VERIFY:
        _verify(cache, as_json)
        return
    if action is ModelAction.PULL:
        with bar() as watch:
            pull_model(cache, watch)
    _show(cache, as_json)


def _show(cache: ModelCache, as_json: bool) -> None:
    facts: dict[str, Any] = {
        "model": MODEL.name,
        "revision": MODEL.revision,
        "dims": MODEL.dims,
        "built": cache.is_complete(),
        "folder": str(cache.folder),
        "bytes": cache.size(),
        "sources": [str(source) for source in configured_sources()],
    }
    if as_json:
        print_json(facts)
        return
    _line("model", f"{MODEL.name}, {MODEL.dims} numbers, revision {MODEL.revision}")
    _line("built", "yes" if facts["built"] else "no; build it with: tacit model pull")
    _line("folder", f"{facts['folder']}, {facts['bytes'] / 1e6:,.1f} MB")
    for number, source in enumerate(facts["sources"]):
        _line("then" if number else "from", source)


def _line(name: str, value: str) -> None:
    console().print(Text(f"{name:8}", style="bright_black") + Text(value), soft_wrap=True)


def _verify(cache: ModelCache, as_json: bool) -> None:
    found = find_model_problems(cache)
    if as_json:
        print_json({"ok": not found, "problems": found})
    elif found:
        console().print(*found, sep="\n", style="red", markup=False)
        console().print("Get it anew with: tacit model pull")
    else:
        console().print("The model is whole and answers as it should.", style="green")
    if found:
        raise typer.Exit(2)


COMMANDS = {"model": model}
