"""What mistakes cost, what to decide, and how good answers are."""
