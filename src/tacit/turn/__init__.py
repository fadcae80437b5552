"""The turn: before every answer, what the agent needs to know, and an account of why."""
