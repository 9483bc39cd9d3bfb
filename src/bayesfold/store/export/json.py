"""A classifier as plain tables in JSON: what `scorer.js` reads, and anything else that can add and look up.

>>> from bayesfold import NaiveBayes
>>> clf = NaiveBayes().fit({"coat": ["short", "long", "short", "short"]}, ["cat", "cat", "dog", "dog"])
>>> from json import loads
>>> loads(write(clf))["columns"][0]["levels"]
['long', 'short']
"""

from typing import Any

from bayesfold.store.export._lower import lower
from bayesfold.store.export._text import plan_to_json

SUFFIXES = (".json",)


def write(classifier: Any) -> str:
    """The classifier's plan; `_plan.py` says what its parts mean."""
    return plan_to_json(lower(classifier, texts=True)) + "\n"
