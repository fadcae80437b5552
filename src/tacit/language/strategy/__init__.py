"""Which memory a message needs: none, the conversation, or the workspace's documents; and why."""
