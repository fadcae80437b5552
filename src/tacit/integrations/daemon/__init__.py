"""The process behind the hooks: it has everything loaded, so that a prompt need not wait."""
