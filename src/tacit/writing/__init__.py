"""What happens when somebody writes, changes or removes a memory."""
