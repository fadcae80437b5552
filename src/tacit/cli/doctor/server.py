"""A running server: whether it answers, and what it says of itself."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import httpx2

from tacit.cli.doctor.finding import Finding, doubtful, fine, wrong
from tacit.cli.doctor.installation import Installation
from tacit.version import __version__

LOCAL = "http://127.0.0.1:8377"
"""Where a server is when nobody says otherwise."""

_PATIENCE = 3.0
_REFUSED = (401, 403)


@dataclass(frozen=True, slots=True)
class _Answer:
    """What came back; a document that is no JSON object is empty."""

    status: int
    document: Mapping[str, Any]


def look(installation: Installation) -> Iterator[Finding]:
    """The server that is named, or the one of this machine if there is one."""
    named = installation.url is not None
    url = (installation.url or LOCAL).strip().rstrip("/")
    with httpx2.Client(timeout=_PATIENCE, trust_env=named) as client:
        try:
            health = _get(client, f"{url}/health")
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            if named:
                yield _unreachable(url, error)
            return
        name = _shown(url)
        if "status" in health.document and "version" in health.document:
            yield from _health(name, health)
            yield from _status(client, url, installation.key)
        elif named:
            yield wrong(
                "server",
                f"{name} answers {health.status}, and not as Tacit does",
                "check the address",
            )


def _shown(url: str) -> str:
    """A URL without its password."""
    return str(httpx2.URL(url).copy_with(userinfo=b""))


def _unreachable(url: str, error: Exception) -> Finding:
    if isinstance(error, httpx2.InvalidURL | httpx2.UnsupportedProtocol):
        found = f"the address of the server cannot be used ({error})"
        return wrong("server", found, f"write it like {LOCAL}")
    found = f"{_shown(url)} does not answer ({str(error) or type(error).__name__})"
    return wrong("server", found, "check the address, or start it with: tacit serve")


def _health(name: str, health: _Answer) -> Iterator[Finding]:
    status, version = health.document["status"], health.document["version"]
    if status != "ok":
        yield wrong("server", f"{name} is not well: {status}", "see its log")
    elif version == __version__:
        yield fine("server", f"{name} answers, Tacit {version}")
    else:
        yield doubtful(
            "server",
            f"{name} runs Tacit {version}, and this is {__version__}",
            "install the same version on both sides, and start the server again",
        )


def _status(client: httpx2.Client, url: str, key: str | None) -> Iterator[Finding]:
    if key is not None and not (key.isascii() and key.isprintable()):
        yield wrong("server", "the key has characters that no key has", "copy the key again")
        return
    try:
        answer = _get(client, f"{url}/v1/status", key)
    except httpx2.HTTPError as error:
        yield _unreachable(url, error)
        return
    if answer.status in _REFUSED:
        yield _refused(key)
    elif "version" not in answer.document:
        found = f"the server does not tell its state (it answers {answer.status})"
        yield wrong("server", found, "see its log")
    else:
        yield from _settings(answer.document)
        yield from _jobs(answer.document)
        if answer.document.get("server_wide") is False:
            yield from _readiness(_get(client, f"{url}/ready"))


def _refused(key: str | None) -> Finding:
    if key is None:
        found = "the server tells its state only to those who have a key"
        return doubtful("server", found, "give one with --key or TACIT_KEY")
    return wrong(
        "server", "the server does not accept this key", "give another with --key or TACIT_KEY"
    )


def _settings(document: Mapping[str, Any]) -> Iterator[Finding]:
    problem = _object(_object(document.get("settings")).get("problem"))
    if problem:
        yield wrong(
            "server",
            f"it keeps its old settings since {problem.get('since')}: {problem.get('message')}",
            "correct the file; the server sees it by itself",
        )


def _readiness(ready: _Answer) -> Iterator[Finding]:
    """What is told to everybody, for keys that are not told of the server itself."""
    yield doubtful(
        "server",
        "a key for one workspace is not told of the server's settings file and jobs",
        "give a key for every workspace to see all",
    )
    for part, found in _object(ready.document.get("checks")).items():
        if found != "ok":
            yield wrong("server", f"its {part}: {found}", "see its log, or ask who runs it")


def _jobs(document: Mapping[str, Any]) -> Iterator[Finding]:
    jobs = document.get("jobs")
    for job in map(_object, jobs if isinstance(jobs, list) else ()):
        if error := job.get("last_error"):
            yield wrong("server", f"its job {job.get('name')} fails: {error}", "see its log")


def _get(client: httpx2.Client, url: str, key: str | None = None) -> _Answer:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    response = client.get(url, headers=headers)
    try:
        document = _object(response.json())
    except ValueError:
        document = {}
    return _Answer(response.status_code, document)


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
