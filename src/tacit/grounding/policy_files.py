"""The files of a policy: where they are, how they are read, and which of them count."""

from codecs import getincrementaldecoder
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import groupby
from pathlib import Path
from unicodedata import normalize

from tacit.core.errors import ConfigError
from tacit.grounding.file_layout import ConversationAddress, WorkspaceRoot
from tacit.grounding.policy import LayerKind, LayerState, PolicyLayer, PromptRole, to_printable_name
from tacit.runtime.files import list_folder, read_start
from tacit.runtime.trust import NOT_TRUSTED, FileContent, TrustRecord, read_content

# Reading files, which people may edit at the same time


MOST_POLICY_BYTES = 64 * 1024

_TOO_LONG = f"only the first {MOST_POLICY_BYTES // 1024} KB are read; make it shorter"
_DECODER = getincrementaldecoder("utf-8-sig")  # leaves out a character that was cut through


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyFile:
    """The text of a file with a note, or its problem."""

    text: str = ""
    note: str = ""
    problem: str = ""


def read_policy_file(path: Path, within: Path, *, needs_consent: bool = False) -> PolicyFile | None:
    """Read a file; None if there is none, and a problem if it needs the user's consent.

    The bytes that are used are those that the consent was compared with.
    """
    try:
        path.lstat()  # most are not there, which is quickly seen
        if not needs_consent:
            _refuse_leading_out(path, within)
            return _to_policy_file(read_start(path, MOST_POLICY_BYTES + 1))
        content = read_untrusted_file(path, within)
        if not TrustRecord().is_trusted(content):
            return PolicyFile(
                problem=f"is ignored: {NOT_TRUSTED}; to see what it says: tacit trust"
            )
        return _to_policy_file(content.data)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RuntimeError, ConfigError) as error:
        return PolicyFile(problem=_describe_error(error))


def read_untrusted_file(path: Path, within: Path) -> FileContent:
    """Read a whole file that strangers may have written; ConfigError if it can never count."""
    _refuse_leading_out(path, within)
    content = read_content(path, MOST_POLICY_BYTES)
    try:
        content.data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(_describe_error(error)) from None
    return content


def _refuse_leading_out(path: Path, within: Path) -> None:
    if not path.resolve().is_relative_to(within.resolve()):
        raise ConfigError("leads out of its folder; put a copy here")


def list_markdown_files(folder: Path) -> tuple[list[Path], str]:
    """The Markdown files of a folder by name, and the problem if it cannot be listed."""
    try:
        found = [path for path in list_folder(folder) if _is_policy_file(path)]
    except FileNotFoundError:
        return [], ""
    except OSError as error:
        return [], _describe_error(error)
    return sorted(found, key=lambda path: (path.name.casefold(), path.name)), ""


def _is_policy_file(path: Path) -> bool:
    """Whether a file is meant for a policy; names with a dot in front belong to editors."""
    return path.suffix.lower() == ".md" and not path.name.startswith(".")


def _to_policy_file(data: bytes) -> PolicyFile:
    if len(data) <= MOST_POLICY_BYTES:
        return PolicyFile(text=data.decode("utf-8-sig"))
    last_line = data.rfind(b"\n", 0, MOST_POLICY_BYTES)
    whole = data[: MOST_POLICY_BYTES if last_line < 0 else last_line]
    return PolicyFile(text=_DECODER().decode(whole), note=_TOO_LONG)


def _describe_error(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"is not UTF-8 (byte {error.start + 1}); convert it"
    if isinstance(error, OSError) and error.strerror:
        return f"cannot be read ({error.strerror}); mend that, or take it away"
    return str(error)


# Locations


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
class PolicyLocation:
    """Where people put a file, or a folder of skills."""

    kind: LayerKind
    name: str
    path: Path
    within: Path
    """What is there must not lead out of this folder."""
    needs_consent: bool = False
    """Whether what is there counts only after the user has agreed to it."""


def list_locations(
    workspaces: WorkspaceRoot, place: ConversationAddress, role: PromptRole
) -> tuple[PolicyLocation, ...]:
    """All locations by kind; of one kind, the one with precedence first."""
    shared = workspaces.root / _SHARED_FOLDER
    own = workspaces.folder(place.workspace) / _FOLDER
    found = sorted(
        (*_shared_locations(shared, role), *_workspace_locations(own, place.key, role)),
        key=lambda spot: (_ORDER[spot.kind], spot.within == shared),
    )
    return tuple(replace(spot, needs_consent=workspaces.needs_consent) for spot in found)


def find_policy_files(root: Path) -> Iterator[Path]:
    """The policy files below a folder of workspaces."""
    patterns = [f"{_SHARED_FOLDER}/{each}" for each in _OF_ALL]
    patterns += [f"*/{_FOLDER}/{each}" for each in _OF_ONE]
    for pattern in patterns:
        yield from sorted(each for each in root.glob(pattern) if find_containing_folder(root, each))


def find_containing_folder(root: Path, path: Path) -> Path | None:
    """The folder that a file below a folder of workspaces must not lead out of.

    None if the file is not part of a policy.
    """
    if not path.is_relative_to(root) or path.name.startswith("."):
        return None
    first, *rest = path.relative_to(root).parts
    if first == _SHARED_FOLDER:
        return root / first if _matches_any(rest, _OF_ALL) else None
    if rest[:1] != [_FOLDER] or not _matches_any(rest[1:], _OF_ONE):
        return None
    own = root / first / _FOLDER
    return own / rest[1] / rest[2] if rest[1] == _CONTEXTS else own


def _matches_any(parts: Sequence[str], patterns: Sequence[str]) -> bool:
    """Whether a relative path matches one of the patterns."""
    return any(
        len(parts) == len(wanted) and all(map(fnmatchcase, parts, wanted))
        for wanted in (each.split("/") for each in patterns)
    )


def _shared_locations(folder: Path, role: PromptRole) -> Iterator[PolicyLocation]:
    """The files for all workspaces."""
    for kind, name, path in (
        (LayerKind.ROLE, str(role), folder / "roles" / f"{role}.md"),
        (LayerKind.GLOBAL, str(LayerKind.GLOBAL), folder / _DIRECTIVES),
        (LayerKind.SOUL, str(LayerKind.SOUL), folder / _SOUL),
        (LayerKind.ACTIONS, str(LayerKind.ACTIONS), folder / _ACTIONS),
    ):
        yield PolicyLocation(kind=kind, name=name, path=path, within=folder)


def _workspace_locations(folder: Path, key: str, role: PromptRole) -> Iterator[PolicyLocation]:
    """The files of one workspace; skills from the nearest to the farthest."""
    context = folder / _CONTEXTS / key
    for kind, name, path in (
        (LayerKind.WORKSPACE, str(LayerKind.WORKSPACE), folder / _DIRECTIVES),
        (LayerKind.CONTEXT, str(LayerKind.CONTEXT), context / _DIRECTIVES),
        (LayerKind.SOUL, str(LayerKind.SOUL), folder / _SOUL),
        (LayerKind.SKILL, "context", context / _SKILLS),
        (LayerKind.SKILL, str(role), folder / "roles" / role / _SKILLS),
        (LayerKind.SKILL, "common", folder / _SKILLS),
        (LayerKind.ACTIONS, str(LayerKind.ACTIONS), folder / _ACTIONS),
    ):
        within = context if context in path.parents else folder
        yield PolicyLocation(kind=kind, name=name, path=path, within=within)


_ORDER = {kind: number for number, kind in enumerate(LayerKind)}


# Layers


MOST_SKILLS = 5


def load_layers(
    workspaces: WorkspaceRoot, place: ConversationAddress, role: PromptRole
) -> tuple[PolicyLayer, ...]:
    """Load the layers for a conversation and a role, in the order of a policy; never raises.

    Of several files for one thing the nearest counts; if it is empty or unreadable, the next does.
    Layers that do not count are included with the reason.
    """
    found: list[PolicyLayer] = []
    for kind, group in groupby(list_locations(workspaces, place, role), key=lambda spot: spot.kind):
        near_first = list(group)
        layers = _load_skills(near_first) if kind is LayerKind.SKILL else _load_nearest(near_first)
        found.extend(layers)
        if kind is LayerKind.ROLE and not any(layer.state is LayerState.READ for layer in layers):
            found.append(PolicyLayer(kind=kind, name=str(role), source=None, text=role.bundled))
    return tuple(found)


def _load_nearest(near_first: Sequence[PolicyLocation]) -> list[PolicyLayer]:
    """The layers of files of which one counts."""
    layers: list[PolicyLayer] = []
    counting: Path | None = None
    for spot in near_first:
        layer = _load_layer(spot, spot.path, spot.name)
        if layer is None:
            continue
        if layer.state is LayerState.READ and counting is not None:
            layer = _shadow_layer(layer, counting)
        elif layer.state is LayerState.READ:
            counting = spot.path
        layers.append(layer)
    return layers


def _load_skills(near_first: Sequence[PolicyLocation]) -> list[PolicyLayer]:
    """The skills: of one name the nearest, and of all names the nearest few."""
    layers: list[PolicyLayer] = []
    taken: dict[str, Path] = {}
    for spot in near_first:
        files, problem = list_markdown_files(spot.path)
        if problem:
            layers.append(_broken_layer(spot, spot.path, spot.name, problem))
        for path in files:
            layer = _skip_skill(spot, path, taken) or _load_layer(
                spot, path, to_printable_name(path.stem)
            )
            if layer is not None:
                layers.append(layer)
            if layer is not None and layer.state is LayerState.READ:
                taken[_skill_key(path)] = path
    return layers


def _skip_skill(spot: PolicyLocation, path: Path, taken: Mapping[str, Path]) -> PolicyLayer | None:
    """The layer of a skill that is not read because it would not count."""
    if by := taken.get(_skill_key(path)):
        return _shadow_layer(
            PolicyLayer(kind=spot.kind, name=to_printable_name(path.stem), source=path), by
        )
    if len(taken) < MOST_SKILLS:
        return None
    note = f"there are {MOST_SKILLS} before it; take one of them away"
    return PolicyLayer(
        kind=spot.kind,
        name=to_printable_name(path.stem),
        source=path,
        state=LayerState.SURPLUS,
        note=note,
    )


def _skill_key(path: Path) -> str:
    """The name of a skill, regardless of case and Unicode form."""
    return normalize("NFC", path.stem).casefold()


def _load_layer(spot: PolicyLocation, path: Path, name: str) -> PolicyLayer | None:
    """The layer of a file; None if it is missing or empty."""
    page = read_policy_file(path, spot.within, needs_consent=spot.needs_consent)
    if page is not None and page.problem:
        return _broken_layer(spot, path, name, page.problem)
    if page is None or not page.text.strip():
        return None
    return PolicyLayer(kind=spot.kind, name=name, source=path, text=page.text, note=page.note)


def _broken_layer(spot: PolicyLocation, path: Path, name: str, problem: str) -> PolicyLayer:
    return PolicyLayer(
        kind=spot.kind, name=name, source=path, state=LayerState.UNREADABLE, note=problem
    )


def _shadow_layer(layer: PolicyLayer, by: Path) -> PolicyLayer:
    return replace(layer, text="", state=LayerState.SHADOWED, note=f"by {by}")
