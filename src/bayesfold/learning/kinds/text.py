"""Text: naive Bayes of the terms of one or more columns of text, read in the ways that predict held-out rows best."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import pyarrow as pa

from bayesfold.data.frame import Frame, Level, is_text
from bayesfold.data.text.tokenizer import Analyser
from bayesfold.families.text import MODELS, Text
from bayesfold.learning.kinds._settings import Learned, Settings, check_alpha
from bayesfold.learning.labels_and_weights import check_row_weights, coded_labels

AUTO: tuple[dict[str, Any], ...] = (
    {"model": "multinomial", "norm": "l2"},
    {"model": "complement", "norm": "l2", "idf": True},
    {"model": "bernoulli"},
)
TOGETHER = "nb_lr"
"""What model="auto" weighs: shares of a document of unit length, the same of the other classes with rare terms to the
fore, and which terms are there. A first choice was scored on the test folds of two public sets once; what it was
compared with since then, on inner folds of their training parts alone. `TOGETHER` weighs words by a regression."""


@dataclass(frozen=True, kw_only=True)
class TextSettings(Settings):
    """The parameters of `bayesfold.TextClassifier`.

    Parameters
    ----------
    model : "auto", "multinomial", "complement", "bernoulli" or "nb_lr"
        The model of the words given the class: multinomial naive Bayes, complement naive Bayes, or Bernoulli naive
        Bayes (word presence). "auto" combines all three (documents normalised to unit length, inverse document
        frequencies in the second) with weights fitted to held-out rows. "nb_lr" is logistic regression on the words of
        one text column, each scaled by its log-count ratio (Wang & Manning 2012). It is fitted by iteration, not from
        sums, so `partial_fit`, `forget`, `merge` and `leave_one_out` are refused.
    alpha : float or "auto"
        Smoothing, added to the count of every word in every class; "auto": by leave-one-out log-loss.
    ridge : float
        The L2 penalty of "nb_lr"; scikit-learn's 1 / C.
    analyzer : "word", "char" or "char_wb"
        Terms are words, characters, or characters within word boundaries, as in scikit-learn's CountVectorizer.
    ngram_range : (int, int)
        The shortest and longest n-grams of words (or characters) that are terms.
    lowercase : bool
        Whether text is lower-cased first.
    hashed : int
        The number of hash buckets (a power of two) that terms are hashed to, so that memory stays bounded on an endless
        stream; None: an exact vocabulary, which grows.
    tf : "count", "presence" or "log"
        The term frequency in a document: its count, 1, or log(1 + count).
    norm : None, "l1" or "l2"
        The norm by which the term frequencies of a document are divided.
    idf : bool or "frozen"
        Whether to use inverse document frequencies, log((1 + D) / (1 + D_j)) + 1. True: computed from all rows learned
        so far, and applied to the sums. "frozen" is scikit-learn's order: the idf of the first rows (of `fit`, of the
        first `partial_fit`, of the sample of a table larger than memory; unweighted) multiplies counts before `norm`,
        and never changes: not with later rows, forgotten rows or rows left out. Later terms then have the idf of a
        term in no document, and only models with the same frozen idf can be merged (`blank`).
    min_df, max_df : int (documents) or float (share of documents)
        Terms in fewer, or in more, documents are left out; min_df=2 leaves out those seen once.
    max_features : int
        The number of terms that are kept, those with the largest total.
    stop_words : list of str
        Terms that are left out.
    weights : "auto" or None
        Exponents on each column (or each model of one) and a bias for each class, fitted to held-out rows; "nb_lr" has
        its own coefficients instead.
    families : dict
        Families of other columns of a table: {"country": "categorical", "hour": "gaussian"}. If a column is declared
        "text" here, no other is read as text.
    """

    estimator: ClassVar[str] = "TextClassifier"

    model: str = "auto"
    alpha: float | str = "auto"
    ridge: float = 1.0
    analyzer: str = "word"
    ngram_range: tuple[int, int] = (1, 1)
    lowercase: bool = True
    hashed: int | None = None
    tf: str = "count"
    norm: str | None = None
    idf: bool | str = False
    min_df: float = 1
    max_df: float = 1.0
    max_features: int | None = None
    stop_words: Iterable[str] | None = None
    weights: str | None = "auto"
    calibration: str | None = None

    def learn(
        self, frame: Frame, y: Any, weight: Any = None, classes: Sequence[Level] = (), more_to_come: bool = False
    ) -> Learned:
        """A model of the documents, every column of text read as these say; or only those that `families` says."""
        from bayesfold.learning.discover import several_texts
        from bayesfold.learning.fit import learn
        from bayesfold.learning.recipe import Recipe

        options = self._options(frame, more_to_come)
        ways, texts = self.texts(), {}
        if not any(several_texts(family) for family in options.families.values()):
            texts = {n: ways for n in frame.names if n not in options.families and holds_text(frame.column(n))}
        recipe = Recipe(
            replace(options, families={**texts, **options.families}),
            None,
            classes,
            self.priors,
            self.class_weight,
            weights=self.weights if self.model != TOGETHER else None,  # the regression weighs
            calibration=self.calibration,
        )
        if self.model != TOGETHER:
            return Learned(*learn(frame, y, weight, recipe))
        from bayesfold.learning.logistic_terms import regressed

        self._check_together(more_to_come)
        model, columns = learn(frame, y, weight, recipe)
        read = model.schema.texts
        if len(read) != 1 or read != model.schema.features:
            raise ValueError(
                f"model={TOGETHER!r} weighs the words of one text together, and reads nothing else; these rows have "
                f"{', '.join(map(repr, frame.names))}. Leave the other columns out, or use another model"
            )
        weight, frame, labels = check_row_weights(weight, frame, coded_labels(y, frame.rows))
        batch = model.schema.encode(frame, labels, weight)
        return Learned(regressed(model, batch, read[0].name, self.ridge), columns)

    def _check_together(self, more_to_come: bool) -> None:
        """Refuse what a regression cannot do."""
        if more_to_come:
            raise ValueError(
                f"model={TOGETHER!r} is found by iteration over all rows together: they must be in memory at once, and "
                "none can be learned later; use fit, or another model"
            )
        if self.calibration is not None:
            raise ValueError(
                f"calibration={self.calibration!r} needs scores of rows left out, which model={TOGETHER!r} has none of"
            )
        if not (isinstance(self.ridge, int | float) and self.ridge > 0):
            raise ValueError(f"ridge={self.ridge!r} must be a number above 0")

    def texts(self) -> tuple[Text, ...]:
        """The ways in which a column of text is read."""
        check_alpha("alpha", self.alpha)
        if self.model not in ("auto", TOGETHER, *MODELS):
            raise ValueError(f"model={self.model!r} is not one of {', '.join(map(repr, ('auto', *MODELS, TOGETHER)))}")
        check_limit("min_df", self.min_df)
        check_limit("max_df", self.max_df)
        if self.max_features is not None and self.max_features < 1:
            raise ValueError(f"max_features={self.max_features!r} must be None or at least 1")
        if isinstance(self.stop_words, str):
            raise ValueError(
                f"stop_words={self.stop_words!r} must be a list of words; to leave out frequent ones whatever the "
                "language, use max_df=0.5"
            )
        one = Text(
            alpha=self.alpha,
            idf=self.idf,
            min_df=self.min_df,
            max_df=self.max_df,
            max_features=self.max_features,
            stop_words=tuple(self.stop_words or ()),
            analyser=Analyser(
                self.analyzer, (self.ngram_range[0], self.ngram_range[1]), self.lowercase, self.hashed or 0
            ),
            tf=self.tf,
            norm=self.norm,
        )
        if self.model == "auto":
            return tuple(replace(one, **{"norm": self.norm, **way}) for way in AUTO)
        return (one if self.model == TOGETHER else replace(one, model=self.model),)


def holds_text(values: Any) -> bool:
    """Whether a column is text, as it is or as categories (files are read so)."""
    from bayesfold.learning.one_column import kind_of

    kind = values.type if isinstance(values, pa.Array) else None
    return kind_of(values) == "text" or (kind is not None and pa.types.is_dictionary(kind) and is_text(kind.value_type))


def check_limit(name: str, value: Any) -> None:
    """A limit on document frequency is a number of documents or a share of them."""
    whole = isinstance(value, int) and not isinstance(value, bool) and value >= 1
    if not whole and not (isinstance(value, float) and 0 <= value <= 1):
        raise ValueError(f"{name}={value!r} must be a number of documents (int) or a share of them (float, 0 to 1)")


KIND = TextSettings
