"""Gaussian Bayes: every class a normal distribution of all columns together, with covariance."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from bayesfold.data.frame import Frame, Level
from bayesfold.data.schema import Schema
from bayesfold.learning.kinds._settings import Learned, Settings

if TYPE_CHECKING:
    from bayesfold.learning.recipe import CovarianceChoices

COVARIANCES = ("auto", "full", "tied", "diagonal")


@dataclass(frozen=True, kw_only=True)
class GaussianSettings(Settings):
    """The parameters of `bayesfold.GaussianBayes`.

    Parameters
    ----------
    covariance : "auto", "full", "tied" or "diagonal"
        "full": a covariance matrix for each class (QDA). "tied": one for all classes (LDA). "diagonal": no covariance
        between columns (Gaussian naive Bayes). "auto": a mixture of full and tied, by held-out score.
    shrinkage : "auto" or float
        The weight, from 0 to 1, of the common diagonal in each covariance; 0 is maximum likelihood. "auto": by
        held-out score.
    numeric : "auto", "raw" or "ranks"
        Numbers as they are, or the normal scores of their ranks; "auto": by held-out score, if covariance="auto".
    """

    estimator: ClassVar[str] = "GaussianBayes"

    covariance: str = "auto"
    shrinkage: float | str = "auto"
    numeric: str = "auto"
    calibration: str | None = None
    schema: Schema | None = None

    def normal(self) -> "CovarianceChoices":
        """The covariances to choose from."""
        from bayesfold.families._covariance import Shrinkage
        from bayesfold.learning.gaussian_vector import FARTHEST
        from bayesfold.learning.recipe import CovarianceChoices

        if self.covariance not in COVARIANCES:
            raise ValueError(f"covariance={self.covariance!r} is not one of {', '.join(map(repr, COVARIANCES))}")
        if self.shrinkage != "auto" and not (isinstance(self.shrinkage, int | float) and 0 <= self.shrinkage <= 1):
            raise ValueError(f"shrinkage={self.shrinkage!r} must be 'auto' or a share from 0 to 1")
        if self.numeric not in ("auto", "raw", "ranks"):
            raise ValueError(f"numeric={self.numeric!r} is not 'auto', 'raw' or 'ranks'")
        auto = self.covariance == "auto"
        tied = {"auto": (0.0, 0.1, 0.5, 1.0), "tied": (1.0,)}.get(self.covariance, (0.0,))
        diagonal = (0.01, 0.1, 0.3) if self.shrinkage == "auto" else (float(self.shrinkage),)
        ranks = {"raw": (False,), "ranks": (True,)}.get(self.numeric, (False, True) if auto else (False,))
        start = Shrinkage(pseudo_rows=4.0 if auto else 0.0, independent=self.covariance == "diagonal")
        return CovarianceChoices(tied, diagonal, start, ranks, FARTHEST if auto else 2.0**100)

    def learn(
        self, frame: Frame, y: Any, weight: Any = None, classes: Sequence[Level] = (), more_to_come: bool = False
    ) -> Learned:
        """A model of the rows."""
        from bayesfold.learning.fit import learn
        from bayesfold.learning.recipe import Recipe

        recipe = Recipe(
            self._options(frame, more_to_come),
            self.schema,
            classes,
            self.priors,
            self.class_weight,
            calibration=self.calibration,
            normal=self.normal(),
        )
        return Learned(*learn(frame, y, weight, recipe))


KIND = GaussianSettings
