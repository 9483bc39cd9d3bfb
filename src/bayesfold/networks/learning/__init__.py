"""Networks from data: what is counted, and what is made of the counts."""
