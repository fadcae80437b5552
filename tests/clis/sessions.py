"""Sessions with the real clients: a person who types, and what reached the model."""

import fcntl
import json
import os
import pty
import queue
import select
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from tests.clis.desk import PATIENCE, READ, Desk
from tests.clis.fake_api import Recorded


class Session(Protocol):
    """A session that goes on until it is closed."""

    def say(self, prompt: str) -> Recorded: ...
    def compact(self) -> None: ...
    def clear(self) -> None: ...
    def close(self) -> None: ...


class Process:
    """A program that is spoken with in lines of JSON."""

    def __init__(self, command: list[str], environment: dict[str, str], folder: Path) -> None:
        self._process = subprocess.Popen(
            command,
            env=environment,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._heard: queue.Queue[dict[str, Any] | None] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in self._process.stdout or ():
            if line.startswith("{"):
                self._heard.put(json.loads(line))
        self._heard.put(None)

    def tell(self, message: dict[str, Any]) -> None:
        """Write a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Read up to the line that is waited for."""
        while True:
            message = self._heard.get(timeout=PATIENCE)
            assert message is not None, "the client has ended"
            if wanted(message):
                return message

    def close(self) -> None:
        """Let it end by itself."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(PATIENCE)
        self._process.stdout.close()


def _asked(desk: Desk, prompt: str) -> Recorded:
    requests = desk.api.asked(prompt)
    assert requests, f"the prompt never reached the model: {prompt}"
    return requests[-1]


class ClaudeCode:
    """Claude Code without a terminal."""

    name = "claude-code"
    instructions = "CLAUDE.md"

    def __init__(self, desk: Desk, folder: Path) -> None:
        self._learning_workers = desk
        environment = {
            **desk.environment,
            "ANTHROPIC_BASE_URL": desk.api.url,
            "ANTHROPIC_API_KEY": "dummy",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        }
        command = [str(desk.binaries / "claude"), "-p", "--verbose"]
        command += ["--input-format", "stream-json", "--output-format", "stream-json"]
        self._process = Process(command, environment, folder)

    @staticmethod
    def prepare(home: Path) -> None:
        """Nothing is needed."""

    def say(self, prompt: str) -> Recorded:
        self._tell(prompt)
        while not self._learning_workers.api.asked(prompt):
            self._answered()  # that was about a task which ran in the background
        return _asked(self._learning_workers, prompt)

    def compact(self) -> None:
        self._tell("/compact")

    def clear(self) -> None:
        self._tell("/clear")

    def close(self) -> None:
        self._process.close()

    def _tell(self, text: str) -> None:
        self._process.tell({"type": "user", "message": {"role": "user", "content": text}})
        self._answered()

    def _answered(self) -> None:
        self._process.until(lambda message: message.get("type") == "result")


class Codex:
    """Codex by the protocol that its own terminal and editors use."""

    name = "codex"
    instructions = "AGENTS.md"

    def __init__(self, desk: Desk, folder: Path) -> None:
        self._learning_workers, self._folder, self._calls = desk, str(folder), 0
        environment = {**desk.environment, "MODEL_KEY": "dummy"}
        model = f'model_providers.fake.base_url="{desk.api.url}/v1"'
        command = [str(desk.binaries / "codex"), "-c", model, "app-server"]
        self._process = Process(command, environment, folder)
        self._call("initialize", clientInfo={"name": "test", "version": "1"})
        self._process.tell({"method": "initialized"})
        self._trust_hooks()
        self._start("startup")

    @staticmethod
    def prepare(home: Path) -> None:
        """A provider that the hooks know nothing of."""
        config = home / ".codex" / "config.toml"
        config.parent.mkdir()
        config.write_text(
            'model = "gpt-5.1-codex"\nmodel_provider = "fake"\n\n[model_providers.fake]\n'
            'name = "fake"\nwire_api = "responses"\nenv_key = "MODEL_KEY"\n'
        )

    def say(self, prompt: str) -> Recorded:
        self._call("turn/start", threadId=self._thread, input=[{"type": "text", "text": prompt}])
        self._turn_ends()
        return _asked(self._learning_workers, prompt)

    def compact(self) -> None:
        self._call("thread/compact/start", threadId=self._thread)
        self._turn_ends()

    def clear(self) -> None:
        self._start("clear")

    def close(self) -> None:
        self._process.close()

    def _start(self, source: str) -> None:
        answer = self._call("thread/start", cwd=self._folder, sessionStartSource=source)
        self._thread = answer["thread"]["id"]

    def _trust_hooks(self) -> None:
        """What a person does in /hooks."""
        hooks = self._call("hooks/list", cwds=[self._folder])["data"][0]["hooks"]
        trusted = {each["key"]: {"trusted_hash": each["currentHash"]} for each in hooks}
        edit = {"keyPath": "hooks.state", "value": trusted, "mergeStrategy": "upsert"}
        self._call("config/batchWrite", edits=[edit], reloadUserConfig=True)

    def _turn_ends(self) -> None:
        self._process.until(
            lambda message: (
                message.get("method") == "turn/completed"
                and message["params"]["threadId"] == self._thread
            )
        )

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._calls += 1
        number = self._calls
        self._process.tell({"id": number, "method": method, "params": parameters})
        answer = self._process.until(lambda it: it.get("id") == number and "method" not in it)
        assert "result" in answer, answer
        result: dict[str, Any] = answer["result"]
        return result


class Gemini:
    """Gemini CLI without a terminal: one process for each prompt, the session resumed."""

    name = "gemini"
    instructions = "GEMINI.md"

    def __init__(self, desk: Desk, folder: Path) -> None:
        self._learning_workers, self._folder = desk, folder
        self._resumed: list[str] = []

    @staticmethod
    def prepare(home: Path) -> None:
        """Somebody has chosen how to sign in."""
        settings = home / ".gemini" / "settings.json"
        settings.parent.mkdir()
        settings.write_text('{"security": {"auth": {"selectedType": "gemini-api-key"}}}\n')

    def say(self, prompt: str) -> Recorded:
        command = [
            *gemini_command(self._learning_workers),
            "--approval-mode",
            "yolo",
            *self._resumed,
        ]
        done = subprocess.run(
            [*command, "-p", prompt],
            env=gemini_environment(self._learning_workers),
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, done.stderr
        self._resumed = ["--resume", "latest"]
        return _asked(self._learning_workers, prompt)

    def compact(self) -> None:
        """A turn that fills the context, so that it is compacted before its second request."""
        self.say(READ)
        assert any("<state_snapshot>" in each.asked for each in self._learning_workers.api.requests)

    def clear(self) -> None:
        raise NotImplementedError("it takes a terminal; see GeminiTerminal")

    def close(self) -> None:
        """Nothing is left running."""


class GeminiTerminal:
    """Gemini CLI in a terminal."""

    def __init__(self, desk: Desk, folder: Path) -> None:
        self._learning_workers = desk
        self._terminal, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        self._process = subprocess.Popen(
            gemini_command(desk),
            env=gemini_environment(desk),
            cwd=folder,
            stdin=inner,
            stdout=inner,
            stderr=inner,
            start_new_session=True,
        )
        os.close(inner)
        self._screen = b""
        self._watch(lambda: b"Type your message" in self._screen)

    def say(self, prompt: str) -> Recorded:
        self._type(prompt)
        self._watch(lambda: bool(self._learning_workers.api.asked(prompt)))
        self._rest()
        return _asked(self._learning_workers, prompt)

    def clear(self) -> None:
        self._type("/clear")
        self._rest()

    def close(self) -> None:
        self._process.terminate()
        self._watch(lambda: self._process.poll() is not None)
        os.close(self._terminal)

    def _type(self, text: str) -> None:
        for letter in text:
            os.write(self._terminal, letter.encode())
            self._look(0.02)
        self._rest()
        os.write(self._terminal, b"\r")

    def _rest(self) -> None:
        """Until the screen is still."""
        end = time.monotonic() + PATIENCE
        while self._look(1.5) and time.monotonic() < end:
            pass

    def _watch(self, is_so: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not is_so():
            assert time.monotonic() < end, self._screen[-2000:].decode(errors="replace")
            self._look(0.1)

    def _look(self, seconds: float) -> bool:
        """Whether something new is on the screen."""
        if not select.select([self._terminal], [], [], seconds)[0]:
            return False
        try:
            self._screen += os.read(self._terminal, 65_536)
        except OSError:
            return False
        return True


def gemini_command(desk: Desk) -> list[str]:
    """Without the request that chooses a model."""
    return [str(desk.binaries / "gemini"), "--skip-trust", "--model", "gemini-2.5-flash"]


def gemini_environment(desk: Desk) -> dict[str, str]:
    """The model is ours."""
    return {
        **desk.environment,
        "GOOGLE_GEMINI_BASE_URL": desk.api.url,
        "GEMINI_API_KEY": "dummy",
        "GEMINI_CLI_NO_RELAUNCH": "1",
    }
