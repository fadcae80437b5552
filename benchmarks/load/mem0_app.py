"""mem0 behind the framework that Tacit's server has; run inside the peers' environment.

`python -m benchmarks.load.mem0_app FOLDER MEMORIES VECTORS LIMIT`: it takes the memories in, then
listens on a port that is free. Its defaults are left as they are; only the embedder is Tacit's, and
memories are added as they are said. Its local store fails where it is searched while it is written,
so calls take turns.
"""

import sys
import threading
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI
from mem0 import Memory
from pydantic import BaseModel

from benchmarks.load.filling import known
from benchmarks.minilm import minilm
from benchmarks.peers.mem0s import Mem0
from benchmarks.peers.peer import Item

_EVERYBODY = "everybody"


class Said(BaseModel):
    """A text."""

    text: str


class _MiniLM:
    """The model that Tacit has."""

    def __init__(self) -> None:
        self._model = minilm()

    def embed(self, text: str, action: str | None = None) -> list[float]:
        """The vector of a text or a query."""
        is_query = action == "search"
        vector = self._model.embed_query(text) if is_query else self._model.embed([text])[0]
        return [float(part) for part in vector]


def application(memory: Memory, limit: int) -> FastAPI:
    """A turn is a search."""
    app, in_turns = FastAPI(), threading.Lock()

    @app.post("/turn")
    def turn(said: Said) -> dict[str, Any]:
        with in_turns:
            found = memory.search(said.text, top_k=limit, filters={"user_id": _EVERYBODY})
        return {"memories": [each["memory"] for each in found["results"]]}

    @app.post("/remember", status_code=201)
    def remember(said: Said) -> dict[str, Any]:
        messages = [{"role": "user", "content": said.text}]
        with in_turns:
            added = memory.add(messages, user_id=_EVERYBODY, infer=False)
        return {"id": added["results"][0]["id"]}

    @app.get("/memories/{id}")
    def get(id: str) -> dict[str, Any]:
        with in_turns:
            return {"text": memory.get(id)["memory"]}

    return app


def main(folder: str, memories: str, vectors: str, limit: str) -> None:
    """Fill it with vectors that are known, then serve with the model."""
    given = known(int(memories), Path(vectors))
    peer = Mem0(given, Path(folder))
    peer.add(_EVERYBODY, [Item(str(number), text) for number, text in enumerate(given)])
    peer._memory.embedding_model = _MiniLM()
    uvicorn.run(application(peer._memory, int(limit)), port=0, access_log=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
