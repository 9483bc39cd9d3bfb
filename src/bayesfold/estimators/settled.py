"""A classifier whose parameters are the settings of a kind: it learns as that kind does."""

from collections.abc import Sequence
from typing import Any, ClassVar

from bayesfold.data.frame import Frame, Level
from bayesfold.estimators.base import Classifier
from bayesfold.estimators.rows import remember
from bayesfold.io.fit import Account, learn_from
from bayesfold.learning.fit import update
from bayesfold.learning.kinds import Learned, Settings
from bayesfold.learning.trained import Step
from bayesfold.runtime.progress import Watcher


class SettledClassifier(Classifier):
    """A subclass names its settings and has their parameters."""

    _settings: ClassVar[type[Settings]]
    _target: str
    _history: tuple[Step, ...]

    def _learn(self, frame: Frame, values: Any, weight: Any, classes: Sequence[Level], more_to_come: bool) -> Learned:
        return self._told().learn(frame, values, weight, classes, more_to_come)

    def _learn_from(
        self, source: Any, target: str, weight: str | None, columns: Any, progress: Watcher | None, checkpoint: Any
    ) -> Account:
        trained, account = learn_from(self._told(), source, target, weight, columns, progress, checkpoint)
        remember(self, trained.names)
        found = Learned(trained.model_, trained.columns, trained.report, trained.unlabelled)
        self._fitted(found, trained.label_type)
        self._target, self._history = target, trained.history
        return account

    def _told(self) -> Settings:
        """The parameters of today."""
        return self._settings(**self.get_params(deep=False))

    def _update(self, frame: Frame, values: Any, weight: Any) -> None:
        fresh = self.model_.twin()
        update(fresh, frame, values, weight)
        self.model_ = fresh
        self._updated()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
