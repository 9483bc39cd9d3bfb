"""Text classification: raw strings in, labels out."""

from collections.abc import Iterable, Mapping
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from bayesfold.data.frame import Frame
from bayesfold.data.tables import is_row
from bayesfold.data.text.tokenizer import text_array
from bayesfold.estimators.rows import is_data_frame, is_named, remember
from bayesfold.estimators.settled import SettledClassifier
from bayesfold.explanations.terms import texts
from bayesfold.explanations.top_terms import Corpus, Loudest, described, loudest
from bayesfold.learning.kinds import find

COLUMN = "text"
"""What a column of text is called that comes without a name."""


class TextClassifier(SettledClassifier):
    """Naive Bayes of the words of documents, given as raw strings.

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

    X is a list, an array or a column (pandas, polars, Arrow) of text; or a table, whose columns of text (subject, body)
    are each read by themselves, beside numbers, and other columns as `families` says. A missing document, and one
    without a known word, says nothing. Words are those of scikit-learn's CountVectorizer: two or more letters, digits
    or underscores, in lower case, in any script; `analyzer="char_wb", ngram_range=(2, 4)` reads languages that are
    written without blanks. Everything counted is a sum: `partial_fit`, `forget`, `merge` and `leave_one_out` are exact,
    with what `fit` chose (alpha, weights) as it is.

    Parameters
    ----------
    model : "auto", "multinomial", "complement", "bernoulli" or "nb_lr"
        What a class says about words: how its documents share their length out among them; how all other classes do;
        which words its documents show. "auto" reads a text in all three ways (documents of unit length, rare words to
        the fore in the second) and weighs them by held-out rows. "nb_lr" is logistic regression of the words of one
        text, each scaled by its log-count ratio (Wang & Manning 2012). It is found by iteration and is no sum, so
        `partial_fit`, `forget`, `merge` and `leave_one_out` are refused.
    alpha : float or "auto"
        Added to the count of every word in every class; "auto": by leave-one-out log-loss.
    ridge : float
        Of "nb_lr": how strongly its weights are held near 0; scikit-learn's 1 / C.
    prior_alpha : float or "auto"
        The same for the class: P(y) = (N_y + prior_alpha) / (N + K prior_alpha).
    analyzer : "word", "char" or "char_wb"
        Words, characters, or characters within words and their bounds.
    ngram_range : (int, int)
        Fewest and most words (or characters) that make a term.
    lowercase : bool
        Whether capitals are the same as small letters.
    hashed : int
        Terms are hashed to so many places (a power of two), so that memory is bounded on an endless stream; None: an
        exact vocabulary, which grows.
    tf : "count", "presence" or "log"
        What a term weighs in a document: how often it occurs, 1, or log(1 + how often).
    norm : None, "l1" or "l2"
        The length by which these weights are divided.
    idf : bool or "frozen"
        Whether terms count for more the fewer documents show them: times log((1 + D) / (1 + D_j)) + 1, when parameters
        are made. "frozen" is scikit-learn's order: the idf of the first rows (of `fit`, of the first `partial_fit`, of
        the sample of a table larger than memory; unweighted) multiplies counts before `norm`, for good. Later rows,
        forgotten rows and rows left out do not change it, later terms have the idf of one that no document shows, and
        models merge only if they froze the same (`blank`).
    min_df, max_df : int (documents) or float (share of documents)
        Terms in fewer, or in more, documents are left out; min_df=2 leaves out those seen once.
    max_features : int
        Only so many terms are kept, those that weigh most.
    stop_words : list of str
        Terms that are left out.
    weights : "auto" or None
        Exponents on what each column (or reading of one) says and a bias for each class, by held-out rows; the
        regression of "nb_lr" has its own.
    calibration : "temperature"
        One exponent on the joint probability, by held-out score.
    families : dict
        Other columns of a table: {"country": "categorical", "hour": "gaussian"}. If a column is declared "text" here,
        no other is read as text.
    missing : value, list or dict
        What marks a missing cell besides None, NaN and the empty text.
    priors, class_weight
        Class probabilities to use instead of the learned ones; weights that multiply them.
    loss, reject_cost, reject_label, weights_are
        What decisions cost: see `Classifier`, or the page on decisions and costs.
    """

    _settings = find("text")

    def __init__(
        self,
        *,
        model: str = "auto",
        alpha: float | str = "auto",
        ridge: float = 1.0,
        prior_alpha: float | str = 1.0,
        analyzer: str = "word",
        ngram_range: tuple[int, int] = (1, 1),
        lowercase: bool = True,
        hashed: int | None = None,
        tf: str = "count",
        norm: str | None = None,
        idf: bool | str = False,
        min_df: float = 1,
        max_df: float = 1.0,
        max_features: int | None = None,
        stop_words: Iterable[str] | None = None,
        weights: str | None = "auto",
        calibration: str | None = None,
        families: Mapping[Any, Any] | None = None,
        missing: Any = None,
        priors: Any = None,
        class_weight: Any = None,
        loss: Any = None,
        reject_cost: Any = None,
        reject_label: Any = None,
        weights_are: str = "importance",
    ) -> None:
        self.model = model
        self.alpha = alpha
        self.ridge = ridge
        self.prior_alpha = prior_alpha
        self.analyzer = analyzer
        self.ngram_range = ngram_range
        self.lowercase = lowercase
        self.hashed = hashed
        self.tf = tf
        self.norm = norm
        self.idf = idf
        self.min_df = min_df
        self.max_df = max_df
        self.max_features = max_features
        self.stop_words = stop_words
        self.weights = weights
        self.calibration = calibration
        self.families = families
        self.missing = missing
        self.priors = priors
        self.class_weight = class_weight
        self.loss = loss
        self.reject_cost = reject_cost
        self.reject_label = reject_label
        self.weights_are = weights_are

    def top_terms(self, n: int = 10, X: Any = None) -> Loudest:
        """By class the n terms that speak for it most, and their log-odds against the mean of the other classes.

        A hashed vocabulary knows its terms by place only; the documents X, any that have such terms, name them.
        """
        self._require_fit()
        text_columns(self)
        if X is None:
            return loudest(self.model_, n)
        if not all(c.analyser.buckets for columns in texts(self.schema_).values() for c in columns):
            raise ValueError("this model knows its terms by name; leave X out")
        return loudest(self.model_, n, self._read(X, reset=False))

    def describe(self, X: Any) -> dict[str, Corpus]:
        """Each text of X as the model sees it: shares of unknown terms, of silent documents and of near duplicates."""
        self._require_fit()
        text_columns(self)
        return described(self.model_, self._read(X, reset=False))

    def _read(self, X: Any, reset: bool) -> Frame:
        if isinstance(X, str):
            raise ValueError(f"X is one text, {X[:40]!r}; give a list of texts: [{X[:20]!r}]")
        if not is_column(X):
            return super()._read(X, reset)
        values = column_of(X)
        if not reset and len(self._names) != 1:
            raise ValueError(f"this model reads a table with {', '.join(map(repr, self._names))}, not a list of texts")
        frame = Frame((COLUMN,) if reset else self._names, len(values), {COLUMN if reset else self._names[0]: values})
        if not frame.rows:
            raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required: there are no documents")
        if reset:
            remember(self, frame.names)
            del self.feature_names_in_  # nobody gave this name
        return frame


def text_columns(clf: TextClassifier) -> None:
    """Refuse a model that reads no text."""
    if not texts(clf.schema_):
        raise ValueError("no column of this model is read as text, so it has no terms")


def is_column(X: Any) -> bool:
    """Whether X is one column of documents rather than a table."""
    if is_row(X) or is_named(X) or is_data_frame(X):
        return False
    if isinstance(X, list | tuple):
        return not X or any(isinstance(text, str) for text in X) or all(text is None for text in X)
    return isinstance(X, pa.Array | pa.ChunkedArray) or getattr(X, "ndim", 0) == 1 or nw.dependencies.is_into_series(X)


def column_of(X: Any) -> pa.Array:
    """A list, an array or a column of any library as one Arrow array of text."""
    if nw.dependencies.is_into_series(X) and hasattr(X, "to_arrow"):
        X = X.to_arrow()
    if isinstance(X, pa.ChunkedArray):
        X = X.unify_dictionaries().combine_chunks() if X.num_chunks != 1 else X.chunk(0)
    if isinstance(X, pa.Array):
        return X.dictionary_decode() if pa.types.is_dictionary(X.type) else X
    values = X.to_numpy() if nw.dependencies.is_into_series(X) else X
    if isinstance(values, np.ndarray) and values.dtype.kind not in "OUT":
        raise ValueError(
            f"X holds {values.dtype}, but documents are text: give strings. Reshape your data using "
            "X.reshape(-1, 1) if it is one column of numbers"
        )
    return text_array(values if isinstance(values, list | np.ndarray) else list(values))
