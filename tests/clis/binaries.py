"""The real clients, in the versions that these tests were written against."""

import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from filelock import FileLock

PACKAGES = {
    "@anthropic-ai/claude-code": "2.1.325",
    "@openai/codex": "0.166.0",
    "@google/gemini-cli": "0.61.0",
}
AI_SDK = {
    "ai": "7.0.173",
    "@ai-sdk/openai": "4.0.118",
    "@ai-sdk/anthropic": "4.0.104",
    "zod": "4.6.7",
    "node": "24.21.0",
}
"""The Vercel AI SDK, and a Node that is new enough for it."""

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
    return _provide(Path(os.environ.get(VARIABLE) or _FOLDER), PACKAGES) / ".bin"


def ai_sdk() -> Path:
    """The `node_modules` of the AI SDK, installed if need be."""
    place = Path(os.environ.get(VARIABLE) or _FOLDER)
    return _provide(place / "ai-sdk", AI_SDK)


def _provide(place: Path, packages: Mapping[str, str]) -> Path:
    place.mkdir(parents=True, exist_ok=True)
    with FileLock(place / ".lock"):
        if any(_installed(place, package) != version for package, version in packages.items()):
            _install(place, packages)
    return place / "node_modules"


def _installed(place: Path, package: str) -> str | None:
    about = place / "node_modules" / package / "package.json"
    return str(json.loads(about.read_text())["version"]) if about.is_file() else None


def _install(place: Path, packages: Mapping[str, str]) -> None:
    (place / "package.json").write_text('{"private": true}')
    command = ["npm", "install", "--engine-strict=false", "--no-audit", "--no-fund"]
    names = [f"{package}@{version}" for package, version in packages.items()]
    subprocess.run(
        [*command, *names],
        cwd=place,
        check=True,
        capture_output=True,
        text=True,
        timeout=NPM_SECONDS,
    )
