"""An environment with what Tacit is compared to, which is too heavy to depend on."""

import hashlib
import subprocess
import tomllib
import venv
from pathlib import Path

from benchmarks.context import Say
from tacit.runtime.files import cache_folder

ROOT = Path(__file__).parents[2]
_PACKAGES = (
    "mem0ai==2.2.1",
    "langgraph==1.2.20",
    "chromadb==1.5.9",
    "llama-index-core==0.14.25",
    "bm25s==0.3.16",
    "matplotlib==3.11.2",
)
_BARE = ("llama-index-retrievers-bm25==0.7.1",)
"""Asks for a PyStemmer older than Tacit's, and works with that one as well."""

_EXTRAS = ("postgres", "server")


def python(say: Say) -> Path:
    """The interpreter of the environment, which is made where there is none."""
    folder = cache_folder() / "peers" / _name()
    interpreter, ready = folder / "bin" / "python", folder / "ready"
    if not ready.exists():
        say(f"making {folder}, some minutes")
        venv.create(folder, with_pip=True, clear=True)
        _install(interpreter, *_PACKAGES, "-e", f"{ROOT}[{','.join(_EXTRAS)}]")
        _install(interpreter, "--no-deps", *_BARE)
        ready.touch()
    return interpreter


def _name() -> str:
    """One name for all that is installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = [each for extra in _EXTRAS for each in project["optional-dependencies"][extra]]
    own = (*project["dependencies"], *extras)
    made_of = " ".join((*_PACKAGES, *_BARE, str(ROOT), *own))
    return hashlib.sha256(made_of.encode()).hexdigest()[:12]


def _install(interpreter: Path, *packages: str) -> None:
    subprocess.run([interpreter, "-m", "pip", "install", "--quiet", *packages], check=True)
