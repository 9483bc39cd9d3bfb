"""A fitted classifier: a schema, a family for each column, a mixture of graphs, and the tally they are read from.

The tally is all that is learned. A model can therefore go on learning, forget rows, be merged, decay, and score rows as
if it had never seen them, without keeping any row.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch
from bayesfold.data.frame import Floats, Level
from bayesfold.data.graph import Mixture
from bayesfold.data.schema import Schema
from bayesfold.families.categorical import Categorical
from bayesfold.models import drawing, left_out, one_row
from bayesfold.models.alike import check_alike, count_alike
from bayesfold.models.calibration import NONE, Calibration
from bayesfold.models.class_prior import ClassPrior, Prior
from bayesfold.models.credit import contributions, parts_of
from bayesfold.models.plan import below_the_class, class_span, group_columns, plan_leaves
from bayesfold.models.posterior import log_posterior, normalise
from bayesfold.models.refusals import check_classes, require_sums
from bayesfold.models.scoring.group import Group
from bayesfold.models.scoring.mixture import MixtureScorer
from bayesfold.models.scoring.parent_tables import ParentTables
from bayesfold.models.scoring.scorer import Scorer
from bayesfold.models.versioned import versioned
from bayesfold.tally.forgetting import refuse_never_learned, without_a_value
from bayesfold.tally.statistic import Tally
from bayesfold.tally.trimming import trim


class Model:
    """families[column] is that column's family; `prior` replaces the learned class probabilities, `class_weight`
    multiplies them; `calibration` is what was learned on held-out scores."""

    def __init__(
        self,
        mixture: Mixture,
        families: Mapping[str, Any],
        tally: Tally,
        prior: Prior = None,
        class_weight: Mapping[Level, float] | str | None = None,
        calibration: Calibration = NONE,
    ) -> None:
        self.mixture = mixture
        self.families = families
        self.tally = tally
        self.prior = prior
        self.class_weight = class_weight
        self.calibration = calibration
        self.version = 0  # of the tally: it counts up with every change
        self.decayed = False
        self.soft = False  # whether rows without a label are in it, each with a share in every class

    @property
    def schema(self) -> Schema:
        """What the rows are."""
        return self.tally.layout.schema  # (asked several times for each row of a stream)

    @property
    def classes(self) -> tuple[Level, ...]:
        """The target's levels."""
        return self.tally.layout.schema.target.levels

    @versioned
    def scorer(self) -> Scorer | MixtureScorer:
        """The log tables; dropped whenever the tally changes."""
        flat = self.flat
        columns, own, every, ends = plan_leaves(self.mixture.networks, self.schema.target.name)
        if not every:
            return flat if self.prior_power == 1.0 else flat.with_prior(self.prior_power * flat.prior)
        naive, leaves = (ParentTables(self.tally, nodes, self.families) for nodes in (own, every))
        return MixtureScorer(flat, self.mixture, self.schema, columns, leaves, ends, naive, self.prior_power)

    @versioned
    def flat(self) -> Scorer:
        """The scorer of the columns that depend on the class alone, and of the class."""
        return Scorer(self.log_prior(), self.groups, self.tally)

    @cached_property
    def prior_power(self) -> float:
        """The exponent on P(class)."""
        target = self.schema.target.name
        return next((n.power for n in self.mixture.networks[0] if n.children == (target,)), 1.0)

    @property
    def power_on_classes(self) -> float:
        """The exponent on P(class) in the log joint: a mixture may have one for the whole network too."""
        return self.prior_power * (self.scorer.power if isinstance(self.scorer, MixtureScorer) else 1.0)

    @property
    def groups(self) -> list[Group]:
        """The columns below the class, by family; worked out once for a layout."""
        layout, groups = self.__dict__.get("_groups", (None, []))
        if layout is not self.tally.layout:
            groups = group_columns(self.tally.layout, below_the_class(self.schema, self.mixture), self.families)
            self.__dict__["_groups"] = self.tally.layout, groups
        return cast(list[Group], groups)

    def changed(self) -> None:
        """Raise the version: the tally has changed."""
        self.version += 1

    def twin(self) -> "Model":
        """The same model, to be changed while others still read this one."""
        other = self.on(self.tally, self.decayed)
        other.soft = self.soft
        return other

    # the class

    def class_weights(self) -> Floats:
        """Weight of the rows of each class."""
        return self.tally.cells(class_span(self.tally.layout)).weight[1:, 0]

    @versioned
    def is_every_class_possible(self) -> bool:
        """Whether no class is without rows, or has a given probability of 0."""
        return bool((self.class_prior.chances(self.class_weights()) > 0).all())

    def class_counts(self) -> NDArray[np.int64]:
        """Rows of each class."""
        return self.tally.table(self.schema.target.name)[1:]

    def log_prior(self) -> Floats:
        """log P(class): given or learned, times the class weights."""
        return self.class_prior.log(self.tally.cells(class_span(self.tally.layout)))

    def log_prior_left_out(self, batch: Batch) -> Floats:
        """The class's log probability, each row with itself taken out."""
        return self.class_prior.log_left_out(self.tally.cells(class_span(self.tally.layout)), batch)

    @property
    def class_prior(self) -> ClassPrior:
        """How the class's probabilities are read from its cells."""
        family = self.families[self.schema.target.name]
        assert isinstance(family, Categorical)
        return ClassPrior(self.classes, family, self.prior, self.class_weight)

    # answers

    def log_joint(self, batch: Batch, leave_out: bool = False) -> Floats:
        """log P(class, row); with `leave_out` each row is taken out of the statistic before it is scored."""
        if self.has_given_priors:
            return self.plain.log_joint(batch, leave_out) + self.shift(batch if leave_out else None)
        if not leave_out:
            return self.calibrated(self.scorer.log_joint(batch), batch)
        return left_out.log_joint(self, batch)

    @property
    def has_given_priors(self) -> bool:
        """Whether class probabilities or weights were given to a model that was fitted to held-out rows: the fit would
        undo them, so it is made without them and they are applied to its answers."""
        return not self.is_textbook and (self.prior is not None or self.class_weight is not None)

    @versioned
    def plain(self) -> "Model":
        """This model without given class probabilities and weights."""
        return Model(self.mixture, self.families, self.tally, None, None, self.calibration)

    def shift(self, batch: Batch | None = None) -> Floats:
        """What given class probabilities and weights add to log P(class); rows of a batch are each left out."""
        if batch is None:
            return self.log_prior() - self.plain.log_prior()
        return self.log_prior_left_out(batch) - self.plain.log_prior_left_out(batch)

    def calibrated(self, joint: Floats, batch: Batch, prior: Floats | None = None) -> Floats:
        """The log joint as held-out rows have taught to read it; a row in which nothing is observed gets the prior."""
        if self.is_textbook and not self.has_vector:
            return joint
        joint = self.calibration.of(joint, self.classes)
        nothing = without_a_value(batch, self.schema)
        if len(nothing):
            joint[nothing] = self.log_prior() if prior is None else prior[nothing]
        return joint

    @property
    def is_textbook(self) -> bool:
        """Whether nothing was learned on held-out scores: tables then give an empty row the prior by themselves."""
        product = self.mixture.combine == "product"
        return self.calibration == NONE and self.prior_power == 1.0 and not product

    @cached_property
    def has_vector(self) -> bool:
        """Whether columns are looked at together: a vector with nothing in it would still say something."""
        children = {child for node in self.mixture.networks[0] for child in node.children}
        return any(vector.name in children for vector in self.schema.vectors)

    def log_proba(self, batch: Batch, leave_out: bool = False, logs: bool = True) -> Floats:
        """log P(class | row), or P with `logs=False`."""
        if leave_out or not self.is_textbook or self.has_vector:
            return log_posterior(self.log_joint(batch, leave_out), logs)
        return self.scorer.log_joint(batch, lambda begin, end, out: normalise(out, begin, end, logs))

    def contributions(self, batch: Batch, empty_rows: bool = True) -> Floats:
        """[row, line, class], the lines being `parts`: they sum to the log joint. A row in which nothing is observed
        has the prior alone, unless `empty_rows` are to be read like others."""
        return contributions(self, batch, empty_rows)

    @property
    def parts(self) -> tuple[str, ...]:
        """The lines of `contributions`: the prior, the columns, then what is no single column's doing."""
        return parts_of(self)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns, in the order of `contributions`."""
        return self.scorer.names

    def parts_left_out(self, batch: Batch) -> Floats:
        """[row, part, class] of rows each left out, without powers, for the weigher: the prior and the columns; or,
        of a mixture, its networks, each with the prior in it."""
        return left_out.parts(self, batch)

    def sample(self, rows: int, draw: "np.random.Generator") -> tuple[dict[str, Any], NDArray[Any]]:
        """Rows drawn from the model: values of each source column, and the classes."""
        return drawing.sample(self, rows, draw)

    def row_log_joint(self, row: Mapping[str, Any]) -> Floats:
        """log P(class, row) of one row given as a dict."""
        return one_row.log_joint(self, row)

    def learn_row(self, row: Mapping[str, Any], label: Level, weight: float | None = None) -> "Model":
        """This model with one more row, given as a dict: itself, or a twin where new levels or classes have joined."""
        return one_row.learn(self, row, label, weight)

    # the group

    @cached_property
    def iterative(self) -> str:
        """The column whose parameters are no function of sums; empty where there is none."""
        return next((name for name, family in self.families.items() if getattr(family, "iterative", False)), "")

    def learn(self, batch: Batch, schema: Schema) -> None:
        """Add rows encoded by `schema`, which may know more levels; on an error nothing has changed."""
        require_sums(self, "learn more rows")
        check_classes(self, schema)
        fresh = count_alike(schema, self.tally, batch)
        grown = self.tally.on(schema)
        grown = grown.copy() if grown is self.tally else grown  # others may be reading it
        grown.add(fresh)
        self.tally = grown
        self.changed()

    def forget(self, batch: Batch) -> None:
        """Subtract rows; refused, with the first row that cannot have been learned, before anything changes."""
        require_sums(self, "forget rows")
        fresh = count_alike(self.schema, self.tally, batch)
        refuse_never_learned(self.tally, fresh, batch, self.decayed)
        left = self.tally.copy()
        left.add(fresh, -1)
        self.tally = left
        self.changed()

    def trimmed(self, classes: bool = True) -> "Model":
        """This model without the levels, terms and classes that no row shows, and that nobody declared."""
        if (tally := trim(self.tally, classes)) is self.tally:
            return self
        other = self.on(tally, self.decayed)
        other.calibration = self.calibration.among(other.classes)
        return other

    def decay(self, factor: float) -> None:
        """Multiply every row's weight."""
        if self.iterative:
            require_sums(self, "decay")
        self.tally = self.tally * factor
        self.decayed = True
        self.changed()

    def without(self, batch: Batch) -> "Model":
        """A model of the other rows."""
        require_sums(self, "leave rows out")
        return self.on(self.tally - count_alike(self.schema, self.tally, batch), self.decayed)

    def on(self, tally: Tally, decayed: bool = False) -> "Model":
        """The same model reading another tally."""
        other = Model(self.mixture, self.families, tally, self.prior, self.class_weight, self.calibration)
        other.decayed = decayed
        layout, groups = self.__dict__.get("_groups", (None, []))
        if layout is tally.layout:
            other.__dict__["_groups"] = layout, groups
        return other

    def blank(self) -> "Model":
        """The same model of no rows: schema, densities and structure, nothing counted."""
        require_sums(self, "be emptied")
        return self.on(Tally.zero(self.schema.all_declared(), self.tally.layout.cliques))

    def __add__(self, other: "Model") -> "Model":
        """A model of both models' rows, with this one's smoothing and prior."""
        require_sums(self, "be merged")
        require_sums(other, "be merged")
        check_alike(self, other)
        return self.on(self.tally + other.tally, self.decayed or other.decayed)
