"""The process and its machine: clock, ids, threads, files, HTTP, logs, metrics and traces."""
