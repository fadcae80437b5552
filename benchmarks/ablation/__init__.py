"""What each part of the ranking brings: `python -m benchmarks.ablation`."""
