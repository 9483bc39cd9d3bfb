"""Pages for a browser: `report/` is one that needs nothing else."""
