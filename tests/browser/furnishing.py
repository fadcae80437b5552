"""A workspace with something on every page, all of it hostile to careless pages."""

HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script> {{ 7*7 }} ${7*7}"


def furnish(memory, folder):
    """Memories, turns, a conflict, a review and documents; every text holds markup."""
    kept = memory.remember(f"The office door code note says {HOSTILE}", type="fact", tags=["x<b>"])
    memory.remember(f"Office hours note {HOSTILE} starts at nine", key="office.hours", pinned=True)
    memory.remember("The staging database runs on port 5432", key="staging.port<i>")
    memory.memories.link(kept.memory.id, memory.list(key="office.hours")[0].id)
    memory.remember("Maria lives in Berlin")
    memory.remember(f"Maria lives in Lisbon {HOSTILE}")
    for number in range(3):
        with memory.turn(
            session="talk <b>1</b>",
            history=[],
            text=f"What does the office door code note say? {HOSTILE} {number}",
            contextual_min_score=0.0,
            max_injected_blocks_in_history=1,
        ) as turn:
            turn.commit("It is written there.")
    for color in ("red", "blue"):
        memory.remember(f"The vault door is {color} {HOSTILE}", key="vault.color", by="agent")
    memory.edit(kept.memory.id, content=f"{kept.memory.content}, and an agent says so", by="agent")
    (folder / "handbook.md").write_text(
        f"# Doors {HOSTILE}\n\nThe door code is kept in the safe.\n"
    )
    memory.documents.add(folder)
    memory.documents.index()
    return kept.memory.id


def addresses(memory, id):
    """Every page, and those about single things."""
    session = memory.sessions.list()[0].id
    receipt = memory.turns.list()[0].id
    return (
        "/",
        "/welcome",
        f"/inspector?receipt={receipt}",
        "/inspector?text=What does the office door code note say?",
        "/sessions",
        f"/sessions/{session.replace('/', '%2F')}",
        "/changes",
        "/memories",
        f"/memories/{id}",
        "/profile",
        "/said",
        f"/said?session={session}",
        "/conflicts",
        "/review",
        "/documents",
        "/settings",
        "/agents",
        "/agents/coder",
        "/prompt",
        "/keys",
        "/server",
    )
