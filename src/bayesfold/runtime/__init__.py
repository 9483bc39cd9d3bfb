"""What every room needs of the machine: threads, files written whole, progress, messages."""
