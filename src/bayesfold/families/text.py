"""Terms of a text, three ways: log P(x | group) = sum_j x_j idf_j log theta_j over the terms that are kept.

multinomial   theta_j = (N_j + alpha) / sum_i (N_i + alpha), N_j the weight of term j in the group, times idf_j
complement    the same of all *other* groups, and the score is minus that; with `normalised` the logs are divided by
              their sum (weight-normalised complement naive Bayes)
bernoulli     theta_j = (D_j + alpha) / (D + 2 alpha), D_j of the group's D documents showing the term; a kept term that
              a document does not contain counts too, with log (1 - theta_j)

Which terms are kept (`min_df`, `max_df`, `max_features`, `stop_words`) is decided whenever parameters are made, from
what was counted of every term: so rows can still be added, taken out and merged. A row is left out with the limits on
document frequency and idf of what is left; shares turned into numbers of documents, and the cap, are held, and so are
the idf of other terms in the sum that `normalised` divides by.

>>> from bayesfold.data.frame import Frame
>>> from bayesfold.data.encodings import Categories
>>> from bayesfold.data.schema import Schema
>>> from bayesfold.tally.statistic import Clique, Tally
>>> from bayesfold.data.text.vocabulary import Vocabulary
>>> from bayesfold.data.text.column import Words
>>> body = Clique(("y",), ("body",), 2)
>>> words = Words("body", Vocabulary.of(["meet", "win", "the"]))
>>> t = Tally.zero(Schema(Categories("y", ("ham", "spam")), (words,)), (body,))
>>> t.counts[1:], t.sums[0, 6:] = [2, 3], [4, 2, 0, 0, 3, 2, 1, 1, 5, 3, 2, 2]       # of each: weight, documents
>>> np.exp(Text(max_df=3).fit(t.cells(t.layout.span([body]))).weights[:, 1:]).round(3)  # "the" is left out: 4 documents
array([[0.833, 0.25 ],
       [0.167, 0.75 ],
       [1.   , 1.   ]])
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats, Level
from bayesfold.data.sparse import Sparse, csr_parts
from bayesfold.data.text.column import Words
from bayesfold.data.text.idf import Rarity
from bayesfold.data.text.tokenizer import Analyser
from bayesfold.families._counts import Block, draw_counts, log_share
from bayesfold.families._forms import ZERO, Linear, Others
from bayesfold.kernels.text import texts
from bayesfold.runtime.threads import spread
from bayesfold.tally.statistic import Cells

MODELS = ("multinomial", "complement", "bernoulli")
FROZEN = "frozen"
TINY = 2.0**-1000
LEAST = 1e-9
"""A term of fewer documents, by weight, is in none; min_df=1 keeps every other one, whatever its documents weigh."""

PIECE = 4_096
"""Documents that a thread leaves out in one go."""


@dataclass(frozen=True)
class TextSums:
    """What is counted of a text: term weights and document frequencies, [group, term], and documents, [group]."""

    weight: Floats
    shown: Floats
    rows: Floats
    words: Words | None

    @cached_property
    def df(self) -> Floats:
        """Documents that show each term."""
        documents: Floats = self.shown.sum(0)
        return documents


@dataclass(frozen=True)
class Text:
    """alpha is added to every kept term; limits are numbers of documents (int) or shares of them (float, up to 1). idf
    is that of what was counted (True) or that of the first rows ("frozen"), which is part of how the text is read.

    How the text is to be read, `analyser`, `tf` (count, presence or log) and `norm` (None, l1, l2), is fixed when the
    first rows are learned; see `bayesfold.data.text.column`. `slopes`, if there are any, are what each term adds to
    each class, and in the last row what belongs to no term: found by iteration (`bayesfold.learning.logistic_terms`),
    they replace the shares.
    """

    model: str = "multinomial"
    alpha: float | str = 1.0
    idf: bool | str = False
    normalised: bool = False
    min_df: float = 1
    max_df: float = 1.0
    max_features: int | None = None
    stop_words: tuple[str, ...] = ()
    analyser: Analyser = Analyser()  # noqa: RUF009  (it is frozen)
    tf: str = "count"
    norm: str | None = None
    slopes: Floats | None = field(default=None, compare=False, repr=False)
    order: ClassVar[int] = 2

    def __post_init__(self) -> None:
        if self.model not in MODELS:
            raise ValueError(f"a text's model {self.model!r} is not one of {', '.join(map(repr, MODELS))}")
        if self.idf not in (False, True, FROZEN):
            raise ValueError(f"idf={self.idf!r} is not one of False, True, {FROZEN!r}")

    def reads(self, source: str, missing: frozenset[Level], name: str = "") -> Words:
        """The column of text as this family wants it."""
        if self.model == "bernoulli":
            return Words(name or source, analyser=self.analyser, source=source, missing=missing, weighing="presence")
        return Words(
            name or source,
            analyser=self.analyser,
            source=source,
            missing=missing,
            weighing=self.tf,
            norm=self.norm,
            rarity=Rarity() if self.idf == FROZEN else None,
        )

    @property
    def iterative(self) -> bool:
        """Whether what is said of a text is no function of sums, so that no row can join or leave."""
        return self.slopes is not None

    def hold(self, cells: Cells) -> Self:
        """Nothing is learned from the whole table; what is kept is worked out by `fit`."""
        return self

    # which terms

    def bounds(self, sums: TextSums) -> tuple[float, float]:
        """The fewest and the most documents that a kept term may have, rounding allowed for."""
        low, high = (x * sums.rows.sum() if isinstance(x, float) else x for x in (self.min_df, self.max_df))
        return LEAST if self.min_df == 1 else max(low * (1 - 1e-12), LEAST), high * (1 + 1e-12)

    def within(self, sums: TextSums) -> NDArray[np.bool_]:
        """Which terms' document frequencies are within the limits."""
        low, high = self.bounds(sums)
        return np.asarray((sums.df >= low) & (sums.df <= high))

    def open(self, sums: TextSums) -> NDArray[np.bool_]:
        """Which terms neither the stop words nor the cap rule out."""
        free = np.ones(len(sums.df), bool)
        if self.stop_words and sums.words is not None:
            stop = find_stop_words(sums.words, self.stop_words)
            free[stop[stop < len(free)]] = False
        if self.max_features is not None:
            total = np.where(free & self.within(sums), sums.weight.sum(0), -1.0)
            free[np.argsort(-total, kind="stable")[self.max_features :]] = False
        return free

    def rarity(self, sums: TextSums) -> Floats:
        """idf_j = log((1 + D) / (1 + D_j)) + 1 of D documents, or 1."""
        if self.idf is not True:
            return np.ones(len(sums.df))
        return np.asarray(np.log((1 + sums.rows.sum()) / (1 + sums.df)) + 1)

    # parameters

    def fit(self, cells: Cells) -> Block:
        """What a term adds to each group's score, one column per group; 0 for those left out."""
        sums = read_sums(cells)
        if self.slopes is not None:
            nobody = np.zeros((len(self.slopes), 1))  # the group of rows without a class
            weights = np.hstack([nobody, self.slopes])
            return Block(np.ascontiguousarray(weights[:-1]), weights[-1], sums.weight, sums.rows)
        kept = self.open(sums) & self.within(sums)
        if self.model == "bernoulli":
            present, absent = self.odds(sums.shown, sums.rows[:, None])
            absent = np.where(kept, absent, 0.0)
            weights, constant = np.where(kept, present - absent, 0.0), absent.sum(1)
        else:
            rarity = self.rarity(sums)
            part = self.parts(sums) * rarity + self.alpha_now
            whole = (part * kept).sum(1, keepdims=True)
            logs = np.where(kept, log_share(part, whole, max(int(kept.sum()), 1)), 0.0)
            if self.model == "complement":
                logs = -logs if not self.normalised else logs / np.minimum(logs.sum(1, keepdims=True), -TINY)
            weights, constant = logs * rarity, np.zeros(len(logs))
        counts = np.where(kept, sums.shown if self.model == "bernoulli" else sums.weight, 0.0)
        return Block(np.ascontiguousarray(weights.T), constant, counts, sums.rows)

    @property
    def alpha_now(self) -> float:
        """The smoothing, which must have been chosen."""
        if isinstance(self.alpha, str):
            raise ValueError("alpha='auto' is chosen on rows: give a number, or fit a TextClassifier")
        return float(self.alpha)

    def parts(self, sums: TextSums) -> Floats:
        """N_j of each group or of all others."""
        n = sums.weight
        if self.model == "multinomial":
            return n
        rest = n.sum(0) - n
        return np.where(rest > 1e-12 * n.sum(0), rest, 0.0)

    def odds(self, shown: Any, rows: Any) -> tuple[Floats, Floats]:
        """log theta and log (1 - theta)."""
        alpha = self.alpha_now
        whole = rows + 2 * alpha
        present = log_share(np.maximum(shown, 0.0) + alpha, whole, 2)
        return present, log_share(np.maximum(rows - shown, 0.0) + alpha, whole, 2)

    def log_density(self, form: Linear, x: Any) -> Floats:
        """The score of rows, which for `complement` is no density."""
        return np.asarray(x @ form.weights) + form.constant

    # leaving a row out

    def left_out(
        self,
        cells: Cells,
        x: Any,
        group: NDArray[np.intp],
        weight: Floats,
        where: NDArray[np.intp],
        others: Others | None = None,
    ) -> Floats:
        """Every group's score, with the row out of its own group's sums and its terms kept or not by what is left."""
        sums = read_sums(cells)
        free = self.open(sums)
        kept = free & self.within(sums)
        score = self.bernoulli_left_out if self.model == "bernoulli" else self.shares_left_out
        return score(sums, free, kept, x, group, weight)[:, None]

    def shares_left_out(
        self,
        sums: TextSums,
        free: NDArray[np.bool_],
        kept: NDArray[np.bool_],
        x: Sparse,
        group: NDArray[np.intp],
        weight: Floats,
    ) -> Floats:
        """Every group's score left out, under the multinomial or its complement."""
        alpha, n = self.alpha_now, np.ascontiguousarray(self.parts(sums).T)
        smoothed = n * self.rarity(sums)[:, None] + alpha
        with np.errstate(divide="ignore"):
            logs = np.maximum(np.log(smoothed), ZERO)
        whole, plain, every = (np.ascontiguousarray(part[kept].sum(0)) for part in (smoothed, n, logs))
        scores, norms = np.empty((2, len(group), len(whole)))
        rarity = self.rarity(sums), self.idf is True, float(sums.rows.sum())
        known = (n, logs, *rarity, free.view(np.uint8), sums.df, *self.bounds(sums), alpha)
        complement = self.model == "complement"

        def piece(begin: int, end: int) -> None:
            scratch, rest = np.empty((5, len(whole))), (complement, ZERO, whole, plain, every, float(kept.sum()))
            texts.shares(*csr_parts(x), group, weight, *known, *rest, scratch, begin, end, scores, norms)

        spread(piece, len(x), PIECE)
        if not complement:
            return scores
        return -scores if not self.normalised else scores / np.minimum(norms, -TINY)

    def bernoulli_left_out(
        self,
        sums: TextSums,
        free: NDArray[np.bool_],
        kept: NDArray[np.bool_],
        x: Sparse,
        group: NDArray[np.intp],
        weight: Floats,
    ) -> Floats:
        """Every group's log density left out, under Bernoulli: rows of one group and weight change all terms alike."""
        kinds, kind = np.unique(np.column_stack([group, weight]), axis=0, return_inverse=True)
        present, absent = (np.ascontiguousarray(logs.T) for logs in self.odds(sums.shown, sums.rows[:, None]))
        nothing = np.tile(absent[kept].sum(0), (len(kinds), 1))
        for k, (g, w) in enumerate(kinds):
            left = max(sums.rows[int(g)] - w, 0.0)
            nothing[k, int(g)] = self.odds(sums.shown[int(g), kept], left)[1].sum()
        log_densities = nothing[kind.ravel()]
        shown = np.ascontiguousarray(sums.shown.T)
        known = (shown, sums.rows, present, absent, free.view(np.uint8), sums.df, *self.bounds(sums))

        def piece(begin: int, end: int) -> None:
            texts.presence(x.starts, x.columns, group, weight, *known, self.alpha_now, ZERO, begin, end, log_densities)

        spread(piece, len(x), PIECE)
        return log_densities

    def sample(self, form: Block, group: NDArray[np.intp], draw: "np.random.Generator") -> NDArray[np.int64]:
        """Which terms each document shows, or of Poisson length how often; `complement` draws as `multinomial`."""
        if self.model == "bernoulli":
            p = np.exp(self.odds(form.counts, form.rows[:, None])[0]) * (form.counts.sum(0) > 0)
            return np.asarray(draw.random((len(group), p.shape[1])) < p[group], np.int64)
        return draw_counts(form, np.where(form.counts.sum(0) > 0, self.alpha_now, 0.0), group, draw)


def read_sums(cells: Cells) -> TextSums:
    """The sums of a text's table, by name."""
    both = (cells.high[0] + cells.low[0]).reshape(len(cells.weight[0]), -1, 2)
    return TextSums(both[..., 0], both[..., 1], cells.weight[0], cells.column)


def find_stop_words(words: Words, terms: tuple[str, ...]) -> NDArray[np.intp]:
    """The numbers of those stop words that the vocabulary holds."""
    numbers = words.vocabulary.numbers(terms)
    return np.asarray(numbers[numbers >= 0], np.intp)
