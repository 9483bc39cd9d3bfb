"""A fitted classifier: its statistic, its mixture of networks, its log joint, its posterior."""
