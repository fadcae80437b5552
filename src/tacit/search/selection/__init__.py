"""Which memories suit a turn: rules that look at values and nothing else."""
