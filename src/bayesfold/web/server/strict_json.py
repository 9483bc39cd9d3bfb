"""JSON as the standard has it, in both directions: no NaN or Infinity is read, and none is written.

>>> read_json(b'{"x": NaN}')
Traceback (most recent call last):
bayesfold.web.server.problems.Problem: NaN is no JSON; a missing value is null
>>> write_json({"p": float("nan")})
b'{"p":null}'
"""

import json
import re
import sys
from typing import Any

from bayesfold.plots._figure import to_json_values
from bayesfold.runtime.json_members import RepeatedKeyError, members_once
from bayesfold.web.server.problems import Problem

LARGE = re.compile(rb"[eE]\+?0*[1-9]\d\d|\d{200}")
"""What a text has somewhere if a number in it is beyond all doubles."""

LONG = 400
"""Digits of a whole number that is beyond all doubles; Python reads no more than 4,300 of them as one."""


def read_json(body: bytes) -> Any:
    """The value of a JSON text."""
    numbers: Any = {"parse_float": read_number, "parse_int": read_number} if LARGE.search(body) else {}
    try:
        return json.loads(body, object_pairs_hook=members_once, parse_constant=refuse_constant, **numbers)
    except RecursionError:
        raise Problem("not-understood", "the JSON is nested too deeply") from None
    except RepeatedKeyError as error:
        raise Problem("not-understood", str(error)) from None
    except (ValueError, UnicodeDecodeError) as error:
        raise Problem("not-understood", f"the body is no JSON: {error}") from None


def read_number(text: str) -> int | float:
    """A number; one beyond the largest double would be read as infinity.

    >>> read_number("7"), read_number("1e3"), read_number("9" * 30)
    (7, 1000.0, 999999999999999999999999999999)
    """
    number = int(text) if len(text) < LONG and text.lstrip("-").isdigit() else float(text)
    if abs(number) > sys.float_info.max:
        short = text if len(text) <= 20 else f"{text[:20]}..."
        raise Problem("not-understood", f"{short} is beyond the largest number there is")
    return number


def refuse_constant(word: str) -> Any:
    """Python reads these words; JSON does not have them."""
    raise Problem("not-understood", f"{word} is no JSON; a missing value is null")


def write_json(value: Any) -> bytes:
    """A value as JSON; a number that is none (no interval, no score) is null."""
    try:
        return json.dumps(value, allow_nan=False, separators=(",", ":"), ensure_ascii=False).encode()
    except (TypeError, ValueError, UnicodeEncodeError):  # arrays, NaN: rare, so they are looked for only then
        return json.dumps(to_json_values(value), allow_nan=False, separators=(",", ":")).encode()
