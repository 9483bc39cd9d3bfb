"""Errors that a person can do something with: ours, in a sentence, and of no other library."""

import traceback
from collections.abc import Callable
from typing import Any

import bayesfold as bf

OURS = (ValueError, TypeError, bf.ImpossibleEvidence)
"""Exactly these: libraries have their own kinds of ValueError."""


def attempt(ask: Callable[[], Any], *also: type[Exception]) -> tuple[Any, Exception | None]:
    """What is answered, or the error that says why nothing is; of any other error the mistake is ours."""
    try:
        return ask(), None
    except Exception as error:  # noqa: BLE001 (which errors there are is the question)
        assert_sentence(error, *also)
        return None, error


def assert_sentence(error: Exception, *also: type[Exception]) -> None:
    """An error was raised by our own code, on purpose, and says something."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    told = "".join(traceback.format_exception(error))
    assert type(error) in (*OURS, *also), f"not an error of ours:\n{told}"
    assert "bayesfold" in where.filename or "sklearn" in where.filename, f"raised elsewhere:\n{told}"
    assert len(str(error)) > 15, f"says nothing:\n{told}"
    assert "has the code" not in str(error), f"an inside of ours came out:\n{told}"
