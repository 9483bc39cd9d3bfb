"""Why an answer came out as it did, what would change it, and what to ask next."""
