"""all-MiniLM-L6-v2: obtained, built and run without PyTorch."""
