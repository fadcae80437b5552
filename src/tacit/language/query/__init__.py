"""From what was said to what is asked of memory: cleaned, weighed, and put into context."""
