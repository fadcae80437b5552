"""A chat in the terminal whose client has memory: `python examples/wrap.py ann`.

It needs `pip install tacit openai` and the environment variable OPENAI_API_KEY.
"""

import os
import sys

from openai import OpenAI

from tacit import Tacit

MODEL = os.environ.get("MODEL", "gpt-5-mini")


def main(user: str) -> None:
    """Answer line by line; what is said is remembered for the next chat."""
    messages = []
    with Tacit.open() as tacit:
        client = tacit.wrap(OpenAI(), user=user, session=f"chat-{os.getpid()}")
        for line in sys.stdin:
            messages.append({"role": "user", "content": line.strip()})
            reply = client.chat.completions.create(model=MODEL, messages=messages)
            said = reply.choices[0].message.content
            messages.append({"role": "assistant", "content": said})
            print(said)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "me")
