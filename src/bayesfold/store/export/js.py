"""A classifier and its scorer in one JavaScript file, for Node and for browsers, without any dependency.

In Node `const model = require("./model.js")`; in a page `<script src="model.js">` makes a variable of the name given.

>>> from bayesfold import NaiveBayes
>>> clf = NaiveBayes().fit({"coat": ["short", "long", "short", "short"]}, ["cat", "cat", "dog", "dog"])
>>> write(clf).splitlines()[0]
'// Scores rows with a model that bayesfold exported. No dependencies; Node and browsers.'
"""

import re
from importlib.resources import files
from typing import Any

from bayesfold.store.export._lower import lower
from bayesfold.store.export._text import plan_to_json

SUFFIXES = (".js",)

MODEL = """
(function () {{
  const model = bayesfold({plan});
  if (typeof module === "object") module.exports = Object.assign(model, {{ bayesfold }});
  else globalThis.{name} = model;
}})();
"""


def scorer() -> str:
    """The scorer alone, which reads the plan that `json` writes."""
    return files("bayesfold.store.export").joinpath("scorer.js").read_text(encoding="utf-8")


def write(classifier: Any, name: str = "bayesfoldModel") -> str:
    """The scorer with the classifier's plan in it; `name` is the variable that it makes in a page."""
    if not re.fullmatch("[A-Za-z_$][A-Za-z0-9_$]*", name):
        raise ValueError(f"name={name!r} cannot be a variable in JavaScript: use letters, digits and _")
    plan = plan_to_json(lower(classifier, texts=True)).replace(
        "<", "\\u003c"
    )  # so that it can also stand inside a page
    return scorer() + MODEL.format(plan=plan, name=name)
