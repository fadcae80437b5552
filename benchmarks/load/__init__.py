"""The real server under load: turns and writes of many clients at once, and what it loses.

The server, the clients and this process are three processes. With peers, mem0's library stands
behind the same framework, with the same memories and the same clients.
"""

from benchmarks.load.course import run

__all__ = ["run"]
