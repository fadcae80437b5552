"""Which files make up a policy: the layers, and what each of them says."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from unicodedata import normalize

from tacit.grounding.places import Place, Workspaces
from tacit.grounding.policy.layer import Kind, Layer, State, spelled
from tacit.grounding.policy.reading import files_in, read_page
from tacit.grounding.policy.role import PromptRole
from tacit.grounding.policy.spot import Spot, spots

MOST_SKILLS = 5


def layers_of(workspaces: Workspaces, place: Place, role: PromptRole) -> tuple[Layer, ...]:
    """What is there for a place and a role, in the order of a policy; nothing raises.

    Of files for one thing the nearest counts; one that is empty or cannot be read leaves its place
    to the next. What does not count is there too, and says why.
    """
    found: list[Layer] = []
    for kind, group in groupby(spots(workspaces, place, role), key=lambda spot: spot.kind):
        near_first = list(group)
        layers = _skills(near_first) if kind is Kind.SKILL else _nearest(near_first)
        found.extend(layers)
        if kind is Kind.ROLE and not any(layer.state is State.READ for layer in layers):
            found.append(Layer(kind=kind, name=str(role), source=None, text=role.bundled))
    return tuple(found)


def _nearest(near_first: Sequence[Spot]) -> list[Layer]:
    """The layers of files of which one counts."""
    layers: list[Layer] = []
    counting: Path | None = None
    for spot in near_first:
        layer = _layer(spot, spot.path, spot.name)
        if layer is None:
            continue
        if layer.state is State.READ and counting is not None:
            layer = _shadowed(layer, counting)
        elif layer.state is State.READ:
            counting = spot.path
        layers.append(layer)
    return layers


def _skills(near_first: Sequence[Spot]) -> list[Layer]:
    """The skills: of one name the nearest, and of all names the nearest few."""
    layers: list[Layer] = []
    taken: dict[str, Path] = {}
    for spot in near_first:
        files, problem = files_in(spot.path)
        if problem:
            layers.append(_broken(spot, spot.path, spot.name, problem))
        for path in files:
            layer = _unread(spot, path, taken) or _layer(spot, path, spelled(path.stem))
            if layer is not None:
                layers.append(layer)
            if layer is not None and layer.state is State.READ:
                taken[_key(path)] = path
    return layers


def _unread(spot: Spot, path: Path, taken: Mapping[str, Path]) -> Layer | None:
    """The layer of a skill that need not be read, because it would not count."""
    if by := taken.get(_key(path)):
        return _shadowed(Layer(kind=spot.kind, name=spelled(path.stem), source=path), by)
    if len(taken) < MOST_SKILLS:
        return None
    note = f"there are {MOST_SKILLS} before it; take one of them away"
    return Layer(
        kind=spot.kind, name=spelled(path.stem), source=path, state=State.SURPLUS, note=note
    )


def _key(path: Path) -> str:
    """The name of a skill; case and the way that accents are written make no difference."""
    return normalize("NFC", path.stem).casefold()


def _layer(spot: Spot, path: Path, name: str) -> Layer | None:
    """What a file says; None where it is missing or empty."""
    page = read_page(path, spot.within, needs_consent=spot.needs_consent)
    if page is not None and page.problem:
        return _broken(spot, path, name, page.problem)
    if page is None or not page.text.strip():
        return None
    return Layer(kind=spot.kind, name=name, source=path, text=page.text, note=page.note)


def _broken(spot: Spot, path: Path, name: str, problem: str) -> Layer:
    return Layer(kind=spot.kind, name=name, source=path, state=State.UNREADABLE, note=problem)


def _shadowed(layer: Layer, by: Path) -> Layer:
    return replace(layer, text="", state=State.SHADOWED, note=f"by {by}")
