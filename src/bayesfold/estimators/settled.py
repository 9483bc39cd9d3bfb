"""A classifier whose parameters are the settings of a kind: it learns as that kind does."""

import textwrap
from collections.abc import Callable, Sequence
from inspect import Parameter, Signature, cleandoc
from typing import Any, ClassVar

import numpy as np

from bayesfold.data.frame import Frame, Level
from bayesfold.estimators.base import Classifier
from bayesfold.estimators.rows import remember
from bayesfold.io.fit import Account, learn_from
from bayesfold.learning.kinds import Settings
from bayesfold.learning.kinds._documentation import documented
from bayesfold.learning.trained import Trained, train
from bayesfold.runtime.messages import suggest
from bayesfold.runtime.progress import Watcher


class SettledClassifier(Classifier):
    """A subclass names its settings; its `__init__` and the documentation of its parameters come from there."""

    _settings: ClassVar[type[Settings]]

    def __init_subclass__(cls, **others: Any) -> None:
        super().__init_subclass__(**others)
        if "_settings" in vars(cls):
            setattr(cls, "__init__", make_constructor(cls._settings))  # noqa: B010  (mypy knows no other way)
            cls.__doc__ = f"{cleandoc(cls.__doc__ or '')}\n\n{parameter_section(cls._settings)}"

    def __init__(self, *places: Any, **parameters: Any) -> None:
        raise TypeError(f"{type(self).__name__} names no settings")

    def _learn(
        self,
        frame: Frame,
        values: Any,
        weight: Any,
        label_type: np.dtype[Any] | None,
        classes: Sequence[Level] = (),
        more_to_come: bool = False,
    ) -> Trained:
        return train(self._current_settings(), frame, values, "", label_type, weight, classes, more_to_come)

    def _learn_from(
        self, source: Any, target: str, weight: str | None, columns: Any, progress: Watcher | None, checkpoint: Any
    ) -> Account:
        trained, account = learn_from(self._current_settings(), source, target, weight, columns, progress, checkpoint)
        remember(self, trained.names)
        self._hold(trained)
        return account

    def chooses(self, X: Any) -> bool:
        """Whether `fit` would choose anything on the rows of this table: densities, bin edges, structure, weights.

        If so, `leave_one_out` and `leave_folds_out` are optimistic, because these choices have seen the rows.
        """
        unfitted = type(self)(**self.get_params(deep=False))
        return self._current_settings().chooses(unfitted._read(X, reset=True))

    def _current_settings(self) -> Settings:
        """This estimator's current parameters, as Settings."""
        return self._settings(**self.get_params(deep=False))

    def _update(self, frame: Frame, values: Any, weight: Any) -> None:
        self._trained.learn_frame(frame, values, weight)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def make_constructor(settings: type[Settings]) -> Callable[..., None]:
    """The `__init__` of an estimator with these settings: it keeps what it is given, as scikit-learn wants it."""
    known = documented(settings)
    own = [
        Parameter(
            p.name,
            Parameter.POSITIONAL_OR_KEYWORD if p.name in settings.positional else Parameter.KEYWORD_ONLY,
            default=p.default,
        )
        for p in sorted(known, key=lambda p: p.name not in settings.positional)
    ]
    signature = Signature([Parameter("self", Parameter.POSITIONAL_OR_KEYWORD), *own])

    def init(self: Any, *places: Any, **parameters: Any) -> None:
        for name in parameters:
            if name not in signature.parameters:
                hint = suggest(name, [p.name for p in own])
                raise TypeError(f"{type(self).__name__} has no parameter {name!r}; {hint}")
        given = signature.bind(self, *places, **parameters)
        given.apply_defaults()
        for name, value in list(given.arguments.items())[1:]:
            setattr(self, name, value)

    init.__name__, init.__qualname__ = "__init__", f"{settings.estimator}.__init__"
    init.__signature__ = signature  # type: ignore[attr-defined]
    return init


def parameter_section(settings: type[Settings]) -> str:
    """What the parameters mean, as a docstring has it."""
    lines = ["Parameters", "----------"]
    for p in documented(settings):
        lines += [f"{p.name} : {p.kind}", *textwrap.wrap(p.text, 112, initial_indent="    ", subsequent_indent="    ")]
    return "\n".join(lines) + "\n"
