"""The lock file: what `make` installs, by version and hash."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
LOCKS = sorted((ROOT / "requirements").glob("*.lock"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
FRAMEWORKS = {path.stem for path in (ROOT / "tests/frameworks/requirements").glob("*.txt")}
"""Extras that the environment does not have: each has one of its own."""
WANTED = [
    *PROJECT["project"]["dependencies"],
    *(each for name, extra in EXTRAS.items() if name not in FRAMEWORKS for each in extra),
    *PROJECT["build-system"]["requires"],
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


def _versions():
    found = {}
    for entry in _entries(ROOT / "requirements" / "dev.lock"):
        name, _, rest = entry.partition("==")
        found.setdefault(canonicalize_name(name), []).append(rest.split()[0])
    return found


@pytest.mark.parametrize("wanted", [each for each in WANTED if not each.startswith("tacit[")])
def test_every_dependency_is_in_the_lock_file_in_a_version_that_its_range_admits(wanted):
    requirement = Requirement(wanted)
    versions = _versions().get(canonicalize_name(requirement.name), [])
    assert versions
    assert all(requirement.specifier.contains(version) for version in versions)


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
