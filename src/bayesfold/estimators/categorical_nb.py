"""scikit-learn's CategoricalNB as a fold: P(x_j | y) a table over the codes 0, 1, 2, ..."""

from itertools import pairwise
from numbers import Integral
from numbers import Real as Number
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._param_validation import Interval

from bayesfold.data.encodings import Categories
from bayesfold.data.frame import Coded, Floats, Frame
from bayesfold.data.schema import Column
from bayesfold.estimators.declared_columns import count_rows, plan
from bayesfold.estimators.discrete import Discrete
from bayesfold.estimators.fitted import keep_arguments
from bayesfold.families._forms import Lookup
from bayesfold.families.categorical import Categorical
from bayesfold.runtime.threads import BLOCK
from bayesfold.tally.layout import MOST_BYTES
from bayesfold.tally.statistic import Tally


class CategoricalNB(Discrete):
    """Categorical naive Bayes with scikit-learn's parameters, attributes and numbers.

    >>> X, y = [[0, 2], [1, 2], [1, 0]], ["no", "yes", "yes"]
    >>> clf = CategoricalNB().fit(X, y)
    >>> clf.predict_proba([[0, 2]]).round(3)
    array([[0.625, 0.375]])
    >>> clf.partial_fit([[3, 1]], ["no"]).n_categories_                 # a column may show more codes later
    array([4, 3])

    Differences: n_categories_ counts the codes of all batches, not of the last; a code that did not occur in training
    is ignored at prediction, where scikit-learn raises IndexError.

    Parameters
    ----------
    alpha : float, default=1.0
        Added to the count of every code.
    force_alpha : bool, default=True
        Whether an alpha below 1e-10 is used as it is.
    fit_prior : bool, default=True
        Whether class probabilities are learned; otherwise classes are equally likely.
    class_prior : array-like of shape (n_classes,), default=None
        Class probabilities to use instead.
    min_categories : int or array-like of shape (n_features,), default=None
        The minimum number of codes of each column.
    loss, reject_cost, reject_label
        The costs of decisions, as for every classifier here.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **Discrete._parameter_constraints,
        "alpha": [Interval(Number, 0, None, closed="left")],
        "min_categories": [None, "array-like", Interval(Integral, 1, None, closed="left")],
    }
    _kind = Categorical
    _accepts: ClassVar[dict[str, Any]] = {"dtype": "int"}
    _plain = frozenset({np.uint8, np.uint16, np.int32, np.int64})

    min_categories: Any

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        min_categories: Any = None,
        loss: Any = None,
        reject_cost: Any = None,
        reject_label: Any = None,
    ) -> None:
        keep_arguments(self, locals())

    def _tally(self, frame: Frame, labels: Coded, weight: Any, target: Categories) -> Tally:
        """Count with the codes that the first block shows; only if a later row shows more, look at all rows first."""
        head = frame.matrix[:BLOCK]
        try:
            return count_rows(
                plan(self._kind, target, self._declared, *self._coding(frame.names, head)), frame, labels, weight
            )
        except ValueError:
            self._refuse(frame.matrix)
            if len(head) == frame.rows:
                raise
        return count_rows(
            plan(self._kind, target, self._declared, *self._coding(frame.names, frame.matrix)), frame, labels, weight
        )

    def _coding(self, names: tuple[str, ...], matrix: NDArray[Any]) -> tuple[Any, ...]:
        """How many codes each column has."""
        sizes = matrix.max(axis=0).astype(np.int64) + 1
        if self.min_categories is not None:
            least = np.array(self.min_categories)
            if not np.issubdtype(least.dtype, np.signedinteger):
                raise ValueError(f"'min_categories' should have integral type. Got {least.dtype} instead.")
            both = np.maximum(sizes, least, dtype=np.int64)
            if both.shape != sizes.shape:
                raise ValueError(
                    f"'min_categories' should have shape ({matrix.shape[1]},) when an array-like is provided. Got "
                    f"{least.shape} instead."
                )
            sizes = both
        if 8 * sizes.sum() > MOST_BYTES:
            worst = int(sizes.argmax())
            raise ValueError(
                f"column {names[worst]!r} has the code {sizes[worst] - 1}, so its table would have that many rows; "
                "codes are 0 to n - 1, without gaps (OrdinalEncoder makes such codes)"
            )
        return code_columns, names, tuple(sizes.tolist())

    def _examine(self, tally: Tally, frame: Frame) -> None:
        """The code -1 is counted where missing cells are."""
        cells = tally.cells(tally.layout.span(tally.layout.cliques[1:]))
        if cells.count[cells.starts[:-1]].any():
            self._refuse(frame.matrix)

    def _convert(self, matrix: Any, reset: bool) -> Any:
        if not reset and matrix.dtype.kind == "i" and matrix.min() < 0:
            self._refuse(matrix)
        return matrix

    @property
    def category_count_(self) -> list[Floats]:
        """For each column the count of its codes in each class, [class, code]."""
        cells = self._cells
        return [cells.weight[a + 1 : b, 1:].T for a, b in pairwise(cells.starts)]

    @property
    def feature_log_prob_(self) -> list[Floats]:
        """For each column log P(code | class), [class, code]."""
        form: Lookup = self.model_.flat.forms[0]
        places = enumerate(pairwise(self._cells.starts))
        return [form.table[a + j + 1 : b + j, 1:].T for j, (a, b) in places]

    @property
    def n_categories_(self) -> NDArray[np.int64]:
        """How many codes each column has."""
        return np.diff(self._cells.starts) - 1

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.sparse = False
        tags.input_tags.positive_only = True
        return tags


def code_columns(names: tuple[str, ...], sizes: tuple[int, ...]) -> tuple[Column, ...]:
    """Columns of the codes 0, 1, ..., size - 1."""
    return tuple(Categories(name, tuple(range(size))) for name, size in zip(names, sizes, strict=True))
