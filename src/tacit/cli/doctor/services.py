"""Checks of running processes and clients: the server, the daemon, hooks of coding CLIs."""

import os
import shlex
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx2

from tacit.cli.doctor.findings import (
    DoctorFinding,
    Installation,
    error_finding,
    ok_finding,
    warning_finding,
)
from tacit.core.errors import PlaceRefused, Unanswered
from tacit.integrations.hooks.daemon_client import (
    DaemonAddress,
    DaemonResponse,
    daemon_address,
    send_request,
)
from tacit.integrations.installer.program import find_program
from tacit.integrations.installer.targets import (
    InstalledHooks,
    InstallFolders,
    InstallScope,
    find_installed_hooks,
)
from tacit.runtime.files import default_log_path
from tacit.version import __version__

# Hooks of coding CLIs


def check_clients(_: Installation) -> Iterator[DoctorFinding]:
    """Clients of this user and of the project here; those without our hooks are not mentioned."""
    around = InstallFolders(home=Path.home(), project=Path.cwd(), environment=os.environ)
    for presence in find_installed_hooks(find_program(), around):
        yield _check_client(presence)


def _check_client(presence: InstalledHooks) -> DoctorFinding:
    place = f"{presence.client.label}, {presence.path}"
    option = " --project" if presence.scope is InstallScope.PROJECT else ""
    mend = f"run: tacit install {presence.client}{option}"
    if presence.problem is not None:
        return warning_finding("clients", f"{place}: cannot be read ({presence.problem})")
    for words in presence.commands:
        if shutil.which(words[0]) is None:
            return error_finding(
                "clients", f"{place}: its hooks run {words[0]}, which is not there", mend
            )
    if presence.is_off:
        mend = "turn them on there, if you want memory in it"
        return warning_finding("clients", f"{place}: has hooks, and turns all hooks off", mend)
    if presence.missing:
        events = ", ".join(presence.missing)
        return warning_finding("clients", f"{place}: has hooks, but none for {events}", mend)
    told = " and ".join(shlex.join(words) for words in presence.commands)
    return ok_finding("clients", f"{place}: its hooks run {told}")


# The daemon


_DAEMON_TIMEOUT = 3.0
_DAEMON_PACKAGES = ("fastapi", "uvicorn")
_RESTART_HINT = "run: tacit daemon stop; the next hook starts another"


def check_daemon(installation: Installation) -> Iterator[DoctorFinding]:
    """The daemon that hooks started here would use."""
    named = {"TACIT_DB": installation.db, "TACIT_CONFIG": installation.config}
    given = {name: str(value) for name, value in named.items() if value is not None}
    address = daemon_address({**os.environ, **given})
    if missing := [name for name in _DAEMON_PACKAGES if find_spec(name) is None]:
        found = f"hooks work without one, and slowly: {', '.join(missing)} is missing"
        yield warning_finding("daemon", found, "run: pip install 'tacit[hooks]'")
        return
    try:
        yield _running_daemon(
            address, send_request(address, "GET", "/daemon", seconds=_DAEMON_TIMEOUT)
        )
    except Unanswered as error:
        yield error_finding(
            "daemon",
            f"{address.marker}: {error}",
            f"see {default_log_path()}, then {_RESTART_HINT}",
        )
    except OSError:
        yield _absent_daemon(address)


def _running_daemon(address: DaemonAddress, answer: DaemonResponse) -> DoctorFinding:
    if answer.status != HTTPStatus.OK:
        found = f"{address.marker}: answers {answer.status}, and not as it should"
        return error_finding("daemon", found, f"see {default_log_path()}, then {_RESTART_HINT}")
    told = answer.document
    return ok_finding(
        "daemon", f"process {told.get('pid')} answers, {told.get('served')} events served"
    )


def _absent_daemon(address: DaemonAddress) -> DoctorFinding:
    if address.folder.exists():
        try:
            address.ensure_folder()
        except PlaceRefused as error:
            return error_finding("daemon", str(error))
    return ok_finding("daemon", "none runs; a hook starts one")


# The server


LOCAL_SERVER = "http://127.0.0.1:8377"
"""The default address of a server."""

_SERVER_TIMEOUT = 3.0
_REFUSED = (401, 403)


@dataclass(frozen=True, slots=True)
class _ServerResponse:
    """A response; a document that is no JSON object is empty."""

    status: int
    document: Mapping[str, Any]


def check_server(installation: Installation) -> Iterator[DoctorFinding]:
    """The server that is named, or the one of this machine if there is one."""
    named = installation.url is not None
    url = (installation.url or LOCAL_SERVER).strip().rstrip("/")
    with httpx2.Client(timeout=_SERVER_TIMEOUT, trust_env=named) as client:
        try:
            health = _get(client, f"{url}/health")
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            if named:
                yield _unreachable(url, error)
            return
        name = _without_password(url)
        if "status" in health.document and "version" in health.document:
            yield from _check_health(name, health)
            yield from _check_status(client, url, installation.key)
        elif named:
            yield error_finding(
                "server",
                f"{name} answers {health.status}, and not as Tacit does",
                "check the address",
            )


def _without_password(url: str) -> str:
    """A URL without its password."""
    return str(httpx2.URL(url).copy_with(userinfo=b""))


def _unreachable(url: str, error: Exception) -> DoctorFinding:
    if isinstance(error, httpx2.InvalidURL | httpx2.UnsupportedProtocol):
        found = f"the address of the server cannot be used ({error})"
        return error_finding("server", found, f"write it like {LOCAL_SERVER}")
    found = f"{_without_password(url)} does not answer ({str(error) or type(error).__name__})"
    return error_finding("server", found, "check the address, or start it with: tacit serve")


def _check_health(name: str, health: _ServerResponse) -> Iterator[DoctorFinding]:
    status, version = health.document["status"], health.document["version"]
    if status != "ok":
        yield error_finding("server", f"{name} is not well: {status}", "see its log")
    elif version == __version__:
        yield ok_finding("server", f"{name} answers, Tacit {version}")
    else:
        yield warning_finding(
            "server",
            f"{name} runs Tacit {version}, and this is {__version__}",
            "install the same version on both sides, and start the server again",
        )


def _check_status(client: httpx2.Client, url: str, key: str | None) -> Iterator[DoctorFinding]:
    if key is not None and not (key.isascii() and key.isprintable()):
        yield error_finding(
            "server", "the key has characters that no key has", "copy the key again"
        )
        return
    try:
        answer = _get(client, f"{url}/v1/status", key)
    except httpx2.HTTPError as error:
        yield _unreachable(url, error)
        return
    if answer.status in _REFUSED:
        yield _refused_key(key)
    elif "version" not in answer.document:
        found = f"the server does not tell its state (it answers {answer.status})"
        yield error_finding("server", found, "see its log")
    else:
        yield from _check_settings(answer.document)
        yield from _check_jobs(answer.document)
        if answer.document.get("server_wide") is False:
            yield from _check_readiness(_get(client, f"{url}/ready"))


def _refused_key(key: str | None) -> DoctorFinding:
    if key is None:
        found = "the server tells its state only to those who have a key"
        return warning_finding("server", found, "give one with --key or TACIT_KEY")
    return error_finding(
        "server", "the server does not accept this key", "give another with --key or TACIT_KEY"
    )


def _check_settings(document: Mapping[str, Any]) -> Iterator[DoctorFinding]:
    problem = _as_object(_as_object(document.get("settings")).get("problem"))
    if problem:
        yield error_finding(
            "server",
            f"it keeps its old settings since {problem.get('since')}: {problem.get('message')}",
            "correct the file; the server sees it by itself",
        )


def _check_readiness(ready: _ServerResponse) -> Iterator[DoctorFinding]:
    """The public readiness report, for keys that may not see the server's status."""
    yield warning_finding(
        "server",
        "a key for one workspace is not told of the server's settings file and jobs",
        "give a key for every workspace to see all",
    )
    for part, found in _as_object(ready.document.get("checks")).items():
        if found != "ok":
            yield error_finding("server", f"its {part}: {found}", "see its log, or ask who runs it")


def _check_jobs(document: Mapping[str, Any]) -> Iterator[DoctorFinding]:
    jobs = document.get("jobs")
    for job in map(_as_object, jobs if isinstance(jobs, list) else ()):
        if error := job.get("last_error"):
            yield error_finding(
                "server", f"its job {job.get('name')} fails: {error}", "see its log"
            )


def _get(client: httpx2.Client, url: str, key: str | None = None) -> _ServerResponse:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    response = client.get(url, headers=headers)
    try:
        document = _as_object(response.json())
    except ValueError:
        document = {}
    return _ServerResponse(response.status_code, document)


def _as_object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
