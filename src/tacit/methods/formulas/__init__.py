"""The formulas of the studies: pure functions over arrays, nothing else."""
