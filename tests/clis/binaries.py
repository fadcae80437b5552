"""The real clients, in the versions that these tests were written against."""

import json
import os
import shutil
import subprocess
from pathlib import Path

from filelock import FileLock

PACKAGES = {
    "@anthropic-ai/claude-code": "2.1.325",
    "@openai/codex": "0.166.0",
    "@google/gemini-cli": "0.61.0",
}
VARIABLE = "TACIT_CLIS"
"""Names a folder to keep the packages in; else it is one of this repository."""

_FOLDER = Path(__file__).parents[2] / "build" / "clis"


NPM_SECONDS = 600
"""A registry that stalls skips these tests and holds up nothing else."""


def missing() -> str | None:
    """Why the clients cannot be run here, if they cannot."""
    lacks = [name for name in ("node", "npm") if shutil.which(name) is None]
    return f"{' and '.join(lacks)} not installed" if lacks else None


def folder() -> Path:
    """Where the clients are, installed if need be."""
    place = Path(os.environ.get(VARIABLE) or _FOLDER)
    place.mkdir(parents=True, exist_ok=True)
    with FileLock(place / ".lock"):
        if any(_installed(place, package) != version for package, version in PACKAGES.items()):
            _install(place)
    return place / "node_modules" / ".bin"


def _installed(place: Path, package: str) -> str | None:
    about = place / "node_modules" / package / "package.json"
    return str(json.loads(about.read_text())["version"]) if about.is_file() else None


def _install(place: Path) -> None:
    (place / "package.json").write_text('{"private": true}')
    command = ["npm", "install", "--engine-strict=false", "--no-audit", "--no-fund"]
    names = [f"{package}@{version}" for package, version in PACKAGES.items()]
    subprocess.run(
        [*command, *names],
        cwd=place,
        check=True,
        capture_output=True,
        text=True,
        timeout=NPM_SECONDS,
    )
