"""What comes from outside a computation: the time, and what makes ids unique."""
