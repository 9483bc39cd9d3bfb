"""Objects of JSON whose keys are there once: Python's reader would keep the last of several without a word.

>>> import json
>>> json.loads('{"a": 1, "b": {"c": 2}}', object_pairs_hook=members_once)
{'a': 1, 'b': {'c': 2}}
>>> json.loads('{"a": 1, "a": 2}', object_pairs_hook=members_once)
Traceback (most recent call last):
bayesfold.runtime.json_members.RepeatedKeyError: 'a' is there twice in one object; keep one of the two
"""

import json
from typing import Any


class RepeatedKeyError(ValueError):
    """A key that an object has twice."""

    def __init__(self, key: str) -> None:
        super().__init__(f"{key!r} is there twice in one object; keep one of the two")


def members_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The members of an object; a key that is there twice is refused."""
    members = dict(pairs)
    if len(members) < len(pairs):
        raise RepeatedKeyError(next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i])))
    return members


def refuse_half_characters(text: str, read: Any) -> None:
    """Refuse what was read from a JSON text if it holds a lone surrogate, which no file, page or table can hold.

    >>> refuse_half_characters('["\\\\ud800"]', ["\\ud800"])
    Traceback (most recent call last):
    ValueError: \\ud800 is half of a character and no text; remove it
    """
    if "\\ud" not in text.lower():  # half of a pair is written so, and can be written in no other way
        return
    try:
        json.dumps(read, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = f"\\u{ord(error.object[error.start]):x}"
        raise ValueError(f"{half} is half of a character and no text; remove it") from None
