"""What tests of agent frameworks share: a memory to recall, and how to see that it was."""

import re
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from tacit import FakeEmbedder, Tacit
from tacit.language.prompt_templates import INJECTION_BLOCK_PREFIX

JWT = "We chose JWT over session tokens for the API"
ASKED = "Why did we choose JWT for the API?"
REPLY = "Because the API has no state."
ASKED_NEXT = "And the expiry of a JWT?"
REPLY_NEXT = "A day."

_SETTINGS = """
[writing]
episodes = "both"

[defaults.memory_injection]
deadline_ms = 60000  # no turn is late on a busy machine
"""


@contextmanager
def remembering():
    """A Tacit that knows one thing of Ann's."""
    with TemporaryDirectory() as folder:
        config = Path(folder) / "tacit.toml"
        config.write_text(_SETTINGS)
        with Tacit.open(":memory:", embedder=FakeEmbedder(), config=config) as tacit:
            tacit.remember(JWT, type="decision", scope_id="ann")
            yield tacit


def closed_tacit():
    """A Tacit that cannot answer."""
    with remembering() as tacit:
        return tacit


def blocks_in(texts):
    """The blocks among the texts that a model was sent."""
    return [text for text in texts if INJECTION_BLOCK_PREFIX in text]


def turns_of(tacit, session):
    """What was said in the finished turns of a session, the oldest first."""
    return sorted(each.turn for each in tacit.turns.list(session=session))


def said_in(tacit, session):
    """What was recorded of a session, in the order in which it was said."""
    tacit.learn()
    return [each.text for each in reversed(tacit.episodes.list(user="ann", session=session))]


_SAMPLE = re.compile(r"```python\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)


def samples_of(page):
    """The samples of a page in docs/frameworks, each with what it prints."""
    return _SAMPLE.findall((Path(__file__).parents[2] / f"docs/frameworks/{page}.md").read_text())


def run_sample(code):
    """Run a sample as it stands; returns what it printed."""
    printed = StringIO()
    with redirect_stdout(printed):
        exec(compile(code, "sample", "exec"), {"__name__": "__main__"})
    return printed.getvalue()
