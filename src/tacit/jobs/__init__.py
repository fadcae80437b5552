"""Jobs: what is done now and then, and what may wait, one after the other on one worker."""

from tacit.jobs.jobs import Job, Jobs, Outcome

__all__ = ["Job", "Jobs", "Outcome"]
