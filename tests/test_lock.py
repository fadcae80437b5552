"""The lock files: what `make` installs, by version and hash."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
DEV = ROOT / "requirements" / "dev.lock"
FRAMEWORKS = sorted((ROOT / "tests/frameworks/requirements").glob("*.in"))
"""What each framework needs, which has an environment of its own."""
LOCKS = [
    *sorted((ROOT / "requirements").glob("*.lock")),
    *(path.with_suffix(".lock") for path in FRAMEWORKS),
]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
WANTED = [*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"]]
EXTRAS_OF_DEV = [
    each
    for name, extra in EXTRAS.items()
    if name not in {path.stem for path in FRAMEWORKS}
    for each in extra
    if not each.startswith("tacit[")
]
_ENTRY = re.compile(
    r"[a-z0-9][a-z0-9.-]*==\S+(?: ; [^\\\n]+)?(?: \\\n    --hash=sha256:[0-9a-f]{64})+"
)


def _entries(lock):
    """What a lock file pins, without comments."""
    text = "\n".join(
        line for line in lock.read_text("utf-8").splitlines() if not line.startswith("#")
    )
    return re.split(r"\n(?=\S)", text.strip())


def _versions(lock):
    found = {}
    for entry in _entries(lock):
        name, _, rest = entry.partition("==")
        found.setdefault(canonicalize_name(name), []).append(rest.split()[0])
    return found


def _missing(wanted, lock):
    """What a lock file does not have in a version that its range admits."""
    versions = _versions(lock)
    requirements = [Requirement(each) for each in wanted]
    found = {each: versions.get(canonicalize_name(each.name), []) for each in requirements}
    return [
        str(each)
        for each, pinned in found.items()
        if not pinned or not all(each.specifier.contains(version) for version in pinned)
    ]


def test_every_dependency_is_in_the_lock_file_in_a_version_that_its_range_admits():
    assert _missing([*WANTED, *EXTRAS_OF_DEV], DEV) == []


@pytest.mark.parametrize("needs", FRAMEWORKS, ids=lambda path: path.stem)
def test_the_lock_file_of_a_framework_has_the_framework_and_this_project(needs):
    lock = needs.with_suffix(".lock")
    extra = EXTRAS.get(needs.stem, [])
    assert _missing([*needs.read_text("utf-8").split(), *extra, *WANTED], lock) == []


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_entry_has_a_version_and_hashes_and_names_no_place(lock):
    assert [each for each in _entries(lock) if not _ENTRY.fullmatch(each)] == []
    assert not re.search(
        r"https?:|file:|--(?:extra-)?index|--find|/(?!/)\w+/", lock.read_text("utf-8")
    )


def test_the_environment_is_made_from_the_lock_file_alone():
    rules = (ROOT / "Makefile").read_text("utf-8")
    installs = [
        line for line in rules.splitlines() if re.match(r"\t.*(?:\$\(PIP\)|pip install)", line)
    ]
    assert len(installs) == 3
    assert all("--require-hashes" in line or "--no-deps" in line for line in installs)


PACKAGES = sorted((ROOT / "tests/clis/packages").iterdir())


@pytest.mark.parametrize("folder", PACKAGES, ids=lambda folder: folder.name)
def test_every_package_of_npm_has_a_version_and_a_hash_and_names_no_place(folder):
    named = json.loads((folder / "package.json").read_text("utf-8"))
    root, *packages = json.loads((folder / "package-lock.json").read_text("utf-8"))[
        "packages"
    ].values()
    groups = ("dependencies", "optionalDependencies")
    assert [root.get(each) for each in groups] == [named.get(each) for each in groups]
    assert [each for each in packages if not {"version", "integrity"} <= each.keys()] == []
    assert [each["resolved"] for each in packages if "resolved" in each] == []
