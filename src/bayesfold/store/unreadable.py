"""The error for a file that is not a whole model."""


class Unreadable(ValueError):
    """Something in a file is not what a model holds; the message says what, and what to do."""


def require(holds: object, otherwise: str) -> None:
    """Refuse a file unless something holds."""
    if not holds:
        raise Unreadable(otherwise)
