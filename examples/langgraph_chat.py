"""A chat in the terminal on LangGraph: `python examples/langgraph_chat.py ann`.

It needs `pip install 'tacit[langchain,langgraph]' langchain-openai` and the environment variable
OPENAI_API_KEY. The agent has memory by its middleware; a node keeps an exact value in the store.
"""

import os
import sys

from langchain.agents import create_agent
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.runtime import Runtime

from tacit import Tacit
from tacit.integrations.langchain import TacitMiddleware
from tacit.integrations.langgraph import TacitStore

MODEL = os.environ.get("MODEL", "gpt-5-mini")


def build_chat(tacit: Tacit, user: str):
    """A graph that answers, then notes what it was asked."""

    def note(state: MessagesState, runtime: Runtime) -> None:
        asked = next(each for each in reversed(state["messages"]) if each.type == "human")
        runtime.store.put(("users", user), "last", {"asked": asked.text})

    builder = StateGraph(MessagesState)
    memory = TacitMiddleware(tacit, user=user)
    builder.add_node("answer", create_agent(f"openai:{MODEL}", middleware=[memory]))
    builder.add_node("note", note)
    builder.add_edge(START, "answer")
    builder.add_edge("answer", "note")
    return builder.compile(checkpointer=InMemorySaver(), store=TacitStore(tacit))


def main(user: str) -> None:
    """Answer line by line; what is said is remembered for the next chat."""
    thread = {"configurable": {"thread_id": f"chat-{os.getpid()}"}}
    with Tacit.open() as tacit:
        chat = build_chat(tacit, user)
        last = chat.store.get(("users", user), "last")
        if last is not None:
            print(f"Last time you asked: {last.value['asked']}")
        for line in sys.stdin:
            done = chat.invoke({"messages": [{"role": "user", "content": line.strip()}]}, thread)
            print(done["messages"][-1].text)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "me")
