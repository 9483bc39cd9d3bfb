"""A plan as JSON text."""

import json
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from bayesfold.store.export._plan import Plan


def plan_to_json(plan: Plan) -> str:
    """A plan as JSON, every number to its last bit; a label that is a date is text, as it is in SQL and ONNX."""
    try:
        return json.dumps(to_plain(plan), allow_nan=False, separators=(",", ":"), default=str)
    except ValueError as error:
        raise ValueError(f"this classifier holds a number that JSON has no word for ({error})") from None


def to_plain(part: Any) -> Any:
    """Dataclasses as dicts, arrays as lists."""
    if is_dataclass(part):
        return {f.name: to_plain(getattr(part, f.name)) for f in fields(part)}
    if isinstance(part, tuple):
        return [to_plain(item) for item in part]
    return part.tolist() if isinstance(part, np.ndarray | np.generic) else part
