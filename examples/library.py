"""A chat in the terminal with memory: `python examples/library.py ann`.

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
                done = client.chat.completions.create(model=MODEL, messages=turn.messages)
                reply = done.choices[0].message
                turn.commit(reply)
            print(reply.content)
            history = turn.history


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "me")
