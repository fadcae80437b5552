"""Clients behind a proxy: what they and the model said to each other, and what passed between."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.clis.desk import PATIENCE, Desk
from tests.clis.fake_api import FakeApi, Recorded
from tests.clis.wiretap import Exchanged, Wiretap
from tests.sdk_clients import without_blocks

_OF_A_CONNECTION = {"accept-encoding", "connection", "content-length", "host", "keep-alive"}
_ADDED = {"tacit-memory", "tacit-receipt", "x-accel-buffering"}


@dataclass
class ProxiedDesk:
    """A desk whose clients reach the model through a proxy."""

    desk: Desk
    tap: Wiretap

    @property
    def url(self) -> str:
        """Where the clients send their requests."""
        return self.tap.url

    @property
    def pairs(self) -> list[tuple[Exchanged, Recorded]]:
        """What a client sent and received, beside what came to the model."""
        sent = [each for each in self.tap.exchanges if each.method == "POST"]
        return list(zip(sent, self.desk.api.requests, strict=True))

    def run(self, *command: str | Path, **more: str) -> str:
        """Run a client to its end; returns its output."""
        done = subprocess.run(
            [str(each) for each in command],
            env={**self.desk.environment, **more},
            cwd=self.desk.project,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


@contextmanager
def behind_proxy(desk: Desk) -> Iterator[ProxiedDesk]:
    """The command `tacit proxy` before the model."""
    command = [sys.executable, "-P", "-m", "tacit", "proxy", "--upstream", desk.api.url]
    with (desk.folder / "proxy.log").open("w") as log:
        process = subprocess.Popen(
            [*command, "--port", "0", "--log-format", "json"],
            env=desk.environment,
            cwd=desk.home,
            stdout=log,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert process.stderr is not None
            with Wiretap(_read_url(process.stderr)) as tap:
                yield ProxiedDesk(desk, tap)
        finally:
            process.terminate()
            process.communicate(timeout=PATIENCE)


def _read_url(lines: Iterator[str]) -> str:
    said = next(line for line in lines if "listens on" in line)
    return str(json.loads(said)["message"]).rpartition(" ")[2]


def assert_untouched(pairs: list[tuple[Exchanged, Recorded]], api: FakeApi) -> None:
    """Responses come as the model sent them; requests are as the client sent them, plus blocks."""
    for (passed, came), sent in zip(pairs, api.replies, strict=True):
        assert passed.reply == sent
        assert came.path == passed.path
        assert _without(came.headers, _OF_A_CONNECTION) == _without(
            passed.headers, _OF_A_CONNECTION
        )
        assert not _ADDED & came.headers.keys()
        plain = json.loads(passed.body or b"{}")
        assert came.body == plain or without_blocks(came.body, plain) == plain


def _without(headers: dict[str, str], names: set[str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name not in names}
