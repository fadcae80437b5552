"""A chat in the terminal that streams its replies: `python examples/streaming.py ann`.

It needs `pip install tacit openai` and the environment variable OPENAI_API_KEY.
"""

import os
import sys

from openai import OpenAI

from tacit import Tacit

MODEL = os.environ.get("MODEL", "gpt-5-mini")


def main(user: str) -> None:
    """Answer line by line; what is said is remembered for the next chat."""
    client, history, session = OpenAI(), [], f"chat-{os.getpid()}"
    with Tacit.open() as tacit:
        for line in sys.stdin:
            with tacit.turn(session=session, user=user, text=line.strip(), history=history) as turn:
                chunks = client.chat.completions.create(
                    model=MODEL, messages=turn.messages, stream=True
                )
                for chunk in turn.stream(chunks):
                    for choice in chunk.choices:
                        print(choice.delta.content or "", end="", flush=True)
            print()
            history = turn.history


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "me")
