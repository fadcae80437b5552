"""The real clients, in the versions that these tests were written against.

A folder in `packages/` has a `package.json`, which names what is tested, and the lock file that
`make lock` writes from it, which npm installs. Node comes with the Vercel AI SDK, which needs a
newer one than most systems have.
"""

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

from filelock import FileLock

PACKAGES = Path(__file__).with_name("packages")

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
    return _provide("clis") / ".bin"


def ai_sdk() -> Path:
    """The `node_modules` of the AI SDK, installed if need be."""
    return _provide("ai-sdk")


def _provide(name: str) -> Path:
    place = Path(os.environ.get(VARIABLE) or _FOLDER) / name
    place.mkdir(parents=True, exist_ok=True)
    files = [PACKAGES / name / each for each in ("package.json", "package-lock.json")]
    made_of = hashlib.sha256(b"".join(each.read_bytes() for each in files)).hexdigest()
    mark = place / ".ready"
    with FileLock(place / ".lock"):
        if not mark.is_file() or mark.read_text() != made_of:
            for each in files:
                shutil.copy(each, place)
            _install(place)
            mark.write_text(made_of)
    return place / "node_modules"


def _install(place: Path) -> None:
    subprocess.run(
        ["npm", "ci", "--engine-strict=false", "--no-audit", "--no-fund"],
        cwd=place,
        check=True,
        capture_output=True,
        text=True,
        timeout=NPM_SECONDS,
    )
