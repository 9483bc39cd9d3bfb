"""Text classification: raw strings in, labels out."""

from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from bayesfold.data.column_values import read_arrow
from bayesfold.data.frame import Frame
from bayesfold.data.tables import is_row, materialise
from bayesfold.data.text.documents import text_array
from bayesfold.estimators.rows import is_data_frame, is_named, remember
from bayesfold.estimators.settled import SettledClassifier
from bayesfold.explanations.terms import text_columns
from bayesfold.explanations.top_terms import Corpus, Loudest, describe_texts, find_top_terms
from bayesfold.learning.kinds import find

COLUMN = "text"
"""The name of a column of text that comes without one."""


class TextClassifier(SettledClassifier):
    """Naive Bayes for text, given as raw strings.

    >>> mail = ["win a prize now", "meeting at ten", "prize inside, win!", "lunch at noon?", "you win money", "see you"]
    >>> clf = TextClassifier(model="multinomial", alpha=1.0, weights=None)
    >>> clf = clf.fit(mail, ["spam", "ham", "spam", "ham", "spam", "ham"])
    >>> clf.predict(["win money", "lunch at ten"]).tolist()
    ['spam', 'ham']
    >>> clf.explain(["win lunch"])[0]
    spam against ham: log-odds +0.596, 1.81 to 1 for spam over ham
    part   value  log-odds
    prior  -        +0.000
    win    1        +1.338
    lunch  1        -0.742
    sum             +0.596
    >>> clf = clf.forget(["you win money"], ["spam"]).partial_fit(["you win money"], ["ham"])    # a correction

    X is a list, an array or a column (pandas, polars, Arrow) of strings; or a table, whose text columns (subject, body)
    are each modelled separately, beside numbers, and other columns as `families` says. A missing document, or one
    without a known word, is no evidence. Tokens are those of scikit-learn's CountVectorizer: two or more letters,
    digits or underscores, in lower case, in any script; for languages written without spaces use `analyzer="char_wb",
    ngram_range=(2, 4)`. Models are computed from sums, so `partial_fit`, `forget`, `merge` and `leave_one_out` are
    exact; what `fit` chose (alpha, weights) stays as it is. `leave_one_out` alone also keeps the terms that
    `max_features` kept, and shares in `min_df` and `max_df` as the numbers of documents that they were of all rows.
    """

    _settings = find("text")

    def top_terms(self, n: int = 10, X: Any = None) -> Loudest:
        """The n most indicative terms of each class, with their log-odds against the mean of the other classes.

        A hashed vocabulary does not store its terms; documents X that contain them are needed to name them.
        """
        self._require_fit()
        require_text(self)
        if X is None:
            return find_top_terms(self.model_, n)
        if not all(c.analyser.buckets for columns in text_columns(self.schema_).values() for c in columns):
            raise ValueError("this model knows its terms by name; leave X out")
        return find_top_terms(self.model_, n, self._read(X, reset=False))

    def describe(self, X: Any) -> dict[str, Corpus]:
        """Each text column of X in numbers: terms, unknown terms, documents without a known term, near duplicates."""
        self._require_fit()
        require_text(self)
        return describe_texts(self.model_, self._read(X, reset=False))

    def _read(self, X: Any, reset: bool) -> Frame:
        if isinstance(X, str):
            raise ValueError(f"X is one text, {X[:40]!r}; give a list of texts: [{X[:20]!r}]")
        X = materialise(X)
        if not is_column(X):
            return super()._read(X, reset)
        values = to_text_column(X)
        if not reset and len(self._names) != 1:
            raise ValueError(f"this model reads a table with {', '.join(map(repr, self._names))}, not a list of texts")
        frame = Frame((COLUMN,) if reset else self._names, len(values), {COLUMN if reset else self._names[0]: values})
        if not frame.rows:
            raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required: there are no documents")
        if reset:
            remember(self, frame.names)
            del self.feature_names_in_  # nobody gave this name
        return frame


def require_text(clf: TextClassifier) -> None:
    """Refuse a model that reads no text."""
    if not text_columns(clf.schema_):
        raise ValueError("no column of this model is read as text, so it has no terms")


def is_column(X: Any) -> bool:
    """Whether X is one column of documents rather than a table."""
    if is_row(X) or is_named(X) or is_data_frame(X):
        return False
    if isinstance(X, list | tuple):
        return not X or any(isinstance(text, str) for text in X) or all(text is None for text in X)
    return isinstance(X, pa.Array | pa.ChunkedArray) or getattr(X, "ndim", 0) == 1 or nw.dependencies.is_into_series(X)


def to_text_column(X: Any) -> pa.Array:
    """A list, an array or a column of any library as one Arrow array of text."""
    if nw.dependencies.is_into_series(X) and hasattr(X, "to_arrow"):
        X = X.to_arrow()
    if isinstance(X, pa.Array | pa.ChunkedArray):
        X = read_arrow(COLUMN, X)
        if isinstance(X, pa.Array):
            return X.dictionary_decode() if pa.types.is_dictionary(X.type) else X
    values = X.to_numpy() if nw.dependencies.is_into_series(X) else X
    if isinstance(values, np.ndarray) and values.dtype.kind not in "OUT":
        raise ValueError(
            f"X holds {values.dtype}, but documents are text: give strings. Reshape your data using "
            "X.reshape(-1, 1) if it is one column of numbers"
        )
    return text_array(values if isinstance(values, list | np.ndarray) else list(values))
