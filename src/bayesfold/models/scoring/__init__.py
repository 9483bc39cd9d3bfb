"""From a batch of rows to log joints: the only scorer, and what tables with parents need beside it."""
