"""Where the files of a policy are, whether they are there or not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from tacit.grounding.places import Place, Workspaces
from tacit.grounding.policy.layer import Kind
from tacit.grounding.policy.role import PromptRole

_FOLDER = "policy"
_SHARED_FOLDER = "_policy"
"""No workspace has a folder of this name."""

_DIRECTIVES = "directives.md"
_SOUL = "SOUL.md"
_ACTIONS = "actions.md"
_SKILLS = "skills"
_CONTEXTS = "contexts"
_A_SKILL = f"{_SKILLS}/*.[mM][dD]"

_OF_ALL = ("roles/*.md", _DIRECTIVES, _SOUL, _ACTIONS)
_OF_ONE = (
    _DIRECTIVES,
    f"{_CONTEXTS}/*/{_DIRECTIVES}",
    _SOUL,
    f"{_CONTEXTS}/*/{_A_SKILL}",
    f"roles/*/{_A_SKILL}",
    _A_SKILL,
    _ACTIONS,
)
"""What `_shared` and `_own` look for, for whichever role and context."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A place where people put a file, or for skills a folder of them."""

    kind: Kind
    name: str
    path: Path
    within: Path
    """What is there must not lead out of this folder."""
    needs_consent: bool = False
    """Whether what is there counts only after the user has agreed to it."""


def spots(workspaces: Workspaces, place: Place, role: PromptRole) -> tuple[Spot, ...]:
    """All of them, by kind, and of one kind the one that counts more first."""
    shared = workspaces.root / _SHARED_FOLDER
    own = workspaces.folder(place.workspace) / _FOLDER
    found = sorted(
        (*_shared(shared, role), *_own(own, place.key, role)),
        key=lambda spot: (_ORDER[spot.kind], spot.within == shared),
    )
    return tuple(replace(spot, needs_consent=workspaces.needs_consent) for spot in found)


def policy_files(root: Path) -> Iterator[Path]:
    """The files below a folder of workspaces that some policy is made of."""
    patterns = [f"{_SHARED_FOLDER}/{each}" for each in _OF_ALL]
    patterns += [f"*/{_FOLDER}/{each}" for each in _OF_ONE]
    for pattern in patterns:
        yield from sorted(each for each in root.glob(pattern) if containing(root, each))


def containing(root: Path, path: Path) -> Path | None:
    """The folder that a file below a folder of workspaces must not lead out of.

    None where no policy is made of the file.
    """
    if not path.is_relative_to(root) or path.name.startswith("."):
        return None
    first, *rest = path.relative_to(root).parts
    if first == _SHARED_FOLDER:
        return root / first if _is_one_of(rest, _OF_ALL) else None
    if rest[:1] != [_FOLDER] or not _is_one_of(rest[1:], _OF_ONE):
        return None
    own = root / first / _FOLDER
    return own / rest[1] / rest[2] if rest[1] == _CONTEXTS else own


def _is_one_of(parts: Sequence[str], patterns: Sequence[str]) -> bool:
    """Whether a way below a folder is one of some patterns."""
    return any(
        len(parts) == len(wanted) and all(map(fnmatchcase, parts, wanted))
        for wanted in (each.split("/") for each in patterns)
    )


def _shared(folder: Path, role: PromptRole) -> Iterator[Spot]:
    """The files for all workspaces."""
    for kind, name, path in (
        (Kind.ROLE, str(role), folder / "roles" / f"{role}.md"),
        (Kind.GLOBAL, str(Kind.GLOBAL), folder / _DIRECTIVES),
        (Kind.SOUL, str(Kind.SOUL), folder / _SOUL),
        (Kind.ACTIONS, str(Kind.ACTIONS), folder / _ACTIONS),
    ):
        yield Spot(kind=kind, name=name, path=path, within=folder)


def _own(folder: Path, key: str, role: PromptRole) -> Iterator[Spot]:
    """The files of one workspace; skills from the nearest to the farthest."""
    context = folder / _CONTEXTS / key
    for kind, name, path in (
        (Kind.WORKSPACE, str(Kind.WORKSPACE), folder / _DIRECTIVES),
        (Kind.CONTEXT, str(Kind.CONTEXT), context / _DIRECTIVES),
        (Kind.SOUL, str(Kind.SOUL), folder / _SOUL),
        (Kind.SKILL, "context", context / _SKILLS),
        (Kind.SKILL, str(role), folder / "roles" / role / _SKILLS),
        (Kind.SKILL, "common", folder / _SKILLS),
        (Kind.ACTIONS, str(Kind.ACTIONS), folder / _ACTIONS),
    ):
        within = context if context in path.parents else folder
        yield Spot(kind=kind, name=name, path=path, within=within)


_ORDER = {kind: number for number, kind in enumerate(Kind)}
