"""A chat on LangGraph that remembers from thread to thread: `python examples/langgraph_chat.py`.

A node puts what memory knows into the call of the model; the state keeps what was said.
"""

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.runtime import Runtime

from tacit import Tacit
from tacit.api.model_calls.memory import CallMemory
from tacit.integrations.langgraph import TacitStore


def ask_model(messages: list[BaseMessage]) -> AIMessage:
    """Stands for a model: it says what it read last."""
    said = messages[-1].content
    known = said if isinstance(said, str) else said[-1]["text"]
    return AIMessage(f"I read: {known.splitlines()[-1]}")


def build_chat(tacit: Tacit):
    """A graph with memory in its calls and a store for exact values."""
    memory = CallMemory(tacit, user="ann")

    def chat(state: MessagesState, runtime: Runtime) -> dict[str, list[BaseMessage]]:
        call = memory.begin(state["messages"], session=runtime.execution_info.thread_id)
        reply = ask_model(call.messages)
        call.end(reply)
        runtime.store.put(("users", "ann"), "last", {"said": state["messages"][-1].content})
        return {"messages": [reply]}

    builder = StateGraph(MessagesState)
    builder.add_node(chat)
    builder.add_edge(START, "chat")
    return builder.compile(checkpointer=InMemorySaver(), store=TacitStore(tacit))


def main() -> None:
    """Talk in two threads."""
    with Tacit.open(":memory:", embedder="none") as tacit:  # Tacit.open() keeps a file
        tacit.remember("Ann is allergic to peanuts", user="ann")
        graph = build_chat(tacit)
        for thread, text in (("monday", "Hello!"), ("tuesday", "What am I allergic to?")):
            config = {"configurable": {"thread_id": thread}}
            result = graph.invoke({"messages": [HumanMessage(text)]}, config)
            print(f"{thread}: {text}")
            print(f"  {result['messages'][-1].text}")


if __name__ == "__main__":
    main()
