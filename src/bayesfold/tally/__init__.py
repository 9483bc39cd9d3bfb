"""The statistic, a grouped sum, and the only counter."""
