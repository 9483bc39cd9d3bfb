"""The error for a file that is not a whole model."""

REMEDY = ": the file is damaged or was edited; take another copy of it, or save the model again"


class Unreadable(ValueError):
    """Something in a file is not what a model holds; the message says what, and what to do."""


def damaged(why: str) -> Unreadable:
    """The error for a file that bayesfold wrote and that was changed since."""
    return Unreadable(f"{why}{REMEDY}")


def require(holds: object, otherwise: str, *named: object) -> None:
    """Refuse a file unless something holds; what is `named` stands in the message, which is made only when needed."""
    if not holds:
        raise Unreadable(otherwise.format(*named) if named else otherwise)
