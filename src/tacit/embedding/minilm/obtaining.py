"""Getting the files from the first source that has them, as published."""

from collections.abc import Sequence
from pathlib import Path

from tacit.core.errors import ModelUnavailable
from tacit.embedding.minilm.identity import ASSETS, sha256
from tacit.embedding.minilm.sources import SOURCE_ENV, Source, SourceFailed
from tacit.embedding.progress import Progress


def obtain(sources: Sequence[Source], into: Path, progress: Progress) -> None:
    """Put the files into a folder, checked by their hashes."""
    failures: list[str] = []
    for source in sources:
        try:
            source.fetch(into, progress)
            _check(into)
        except Exception as error:  # whatever it is, the next source may do better
            failures.append(f"{source}: {str(error) or type(error).__name__}")
        else:
            return
    raise ModelUnavailable(_message(failures))


def _check(folder: Path) -> None:
    for asset in ASSETS:
        found = sha256(folder / asset.name)
        if found != asset.sha256:
            raise SourceFailed(
                f"{asset.name} is not the published file: its SHA-256 is {found[:12]}…, "
                f"not {asset.sha256[:12]}…"
            )


def _message(failures: Sequence[str]) -> str:
    tried = "\n".join(f"  {failure}" for failure in failures)
    names = " and ".join(asset.name for asset in ASSETS)
    return (
        f"no source has the embedding model:\n{tried}\n"
        f"Go online and run: tacit model pull. Or set {SOURCE_ENV} to a folder or a web address "
        f"with {names} of sentence-transformers/all-MiniLM-L6-v2."
    )
