"""A chat in the terminal that knows nothing of Tacit: `python examples/proxy.py ann`.

The proxy gives it memory: start `tacit proxy --upstream https://api.openai.com`, then set
OPENAI_BASE_URL to the URL that it prints, and OPENAI_API_KEY. It needs `pip install openai`.
"""

import os
import sys

from openai import OpenAI

MODEL = os.environ.get("MODEL", "gpt-5-mini")


def main(user: str) -> None:
    """Answer line by line; what is said is remembered for the next chat."""
    client, messages = OpenAI(), []
    headers = {"Tacit-User": user, "Tacit-Session": f"chat-{os.getpid()}"}
    for line in sys.stdin:
        messages.append({"role": "user", "content": line.strip()})
        reply = client.chat.completions.create(
            model=MODEL, messages=messages, extra_headers=headers
        )
        said = reply.choices[0].message.content
        messages.append({"role": "assistant", "content": said})
        print(said)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "me")
