"""What is worth knowing later in what somebody says, found by rules."""
