"""A fitted classifier: a schema, a family for each column, a mixture of graphs, and the tally they are read from.

The tally is all that is learned. A model can therefore go on learning, forget rows, be merged, decay, and score rows as
if it had never seen them, without keeping any row.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch
from bayesfold.data.decode import decoded
from bayesfold.data.frame import Floats, Level
from bayesfold.data.graph import Mixture
from bayesfold.data.schema import Schema
from bayesfold.data.vector import Vector
from bayesfold.families.categorical import Categorical
from bayesfold.models.calibration import NONE, Calibration
from bayesfold.models.class_prior import ClassPrior, Prior
from bayesfold.models.credit import OFFSET, PRIOR, credited, lines_of, own_line
from bayesfold.models.plan import below_the_class, grouped
from bayesfold.models.posterior import log_posterior, normalise
from bayesfold.models.scoring.mixture import MixtureScorer
from bayesfold.models.scoring.parent_nodes import Leaf, leaf_of, leaves_of
from bayesfold.models.scoring.parent_tables import Stack
from bayesfold.models.scoring.scorer import Group, Scorer
from bayesfold.models.scoring.single_row import Rows, can_stream
from bayesfold.models.versioned import versioned
from bayesfold.runtime.threads import BLOCK
from bayesfold.tally.counter import count
from bayesfold.tally.forgetting import refuse_never_learned, without_a_value
from bayesfold.tally.layout import Clique, Span
from bayesfold.tally.statistic import Tally
from bayesfold.tally.trimming import trimmed

MOST_ENTRIES = 1 << 22  # contributions held at once while rows are left out


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
        return self.tally.schema

    @property
    def classes(self) -> tuple[Level, ...]:
        """The target's levels."""
        return self.schema.target.levels

    @versioned
    def scorer(self) -> Scorer | MixtureScorer:
        """The log tables; dropped whenever the tally changes."""
        flat, (columns, own, every, ends) = self.flat, self._leaves
        if not every:
            return flat if self.prior_power == 1.0 else flat.with_prior(self.prior_power * flat.prior)
        naive, leaves = (Stack(self.tally, some, self.families) for some in (own, every))
        return MixtureScorer(flat, self.mixture, self.schema, columns, leaves, ends, naive, self.prior_power)

    @property
    def _leaves(self) -> tuple[tuple[str, ...], list[Leaf], list[Leaf], NDArray[np.intp]]:
        """The columns with a network of their own, each as a leaf of the class, every network's leaves one after
        another, and where each network ends; worked out once for networks and a layout."""
        plans, networks, target = self.tally.layout.plans, self.mixture.networks, self.schema.target.name
        kept = plans.get(("leaves", id(networks)))
        if kept is None:
            deep = [leaves_of(network, target) for network in networks]
            columns = tuple(dict.fromkeys(c for nodes in deep for n in nodes for c in n.children if c != target))
            at = {name: i for i, name in enumerate(columns)}
            own = [Leaf(name, (), (i,)) for i, name in enumerate(columns)]
            every = [leaf_of(node, target, at) for nodes in deep for node in nodes]
            kept = networks, (columns, own, every, np.cumsum([0, *map(len, deep)], dtype=np.intp))
            if len(networks) > 1:  # one network is soon read
                plans["leaves", id(networks)] = kept
        return cast(tuple[tuple[str, ...], list[Leaf], list[Leaf], NDArray[np.intp]], kept[1])

    @versioned
    def flat(self) -> Scorer:
        """The scorer of the columns that depend on the class alone, and of the class."""
        return Scorer(self.log_prior(), self.groups, self.tally)

    @property
    def prior_power(self) -> float:
        """The exponent on P(class)."""
        target = self.schema.target.name
        return next((n.power for n in self.mixture.networks[0] if n.children == (target,)), 1.0)

    @property
    def _power(self) -> float:
        """The exponent on P(class) in the log joint: a mixture may have one for the whole network too."""
        return self.prior_power * (self.scorer.power if isinstance(self.scorer, MixtureScorer) else 1.0)

    @property
    def groups(self) -> list[Group]:
        """The columns below the class, by family; worked out once for a layout."""
        layout, groups = self.__dict__.get("_groups", (None, []))
        if layout is not self.tally.layout:
            groups = grouped(self.tally.layout, below_the_class(self.schema, self.mixture), self.families)
            self.__dict__["_groups"] = self.tally.layout, groups
        return cast(list[Group], groups)

    def _changed(self) -> None:
        self.version += 1

    def twin(self) -> "Model":
        """The same model, to be changed while others still read this one."""
        other = self.on(self.tally, self.decayed)
        other.soft = self.soft
        return other

    # the class

    def class_weights(self) -> Floats:
        """Weight of the rows of each class."""
        return self.tally.cells(self.class_span).weight[1:, 0]

    def class_counts(self) -> NDArray[np.int64]:
        """Rows of each class."""
        return self.tally.table(self.schema.target.name)[1:]

    def log_prior(self) -> Floats:
        """log P(class): given or learned, times the class weights."""
        return self.class_prior.log(self.tally.cells(self.class_span))

    def log_prior_left_out(self, batch: Batch) -> Floats:
        """The class's log probability, each row with itself taken out."""
        return self.class_prior.log_left_out(self.tally.cells(self.class_span), batch)

    @property
    def class_prior(self) -> ClassPrior:
        """How the class's probabilities are read from its cells."""
        family = self.families[self.schema.target.name]
        assert isinstance(family, Categorical)
        return ClassPrior(self.classes, family, self.prior, self.class_weight)

    @property
    def class_span(self) -> Span:
        """Where the class is counted."""
        plans = self.tally.layout.plans
        if "classes" not in plans:
            plans["classes"] = self.tally.layout.span([Clique((self.schema.target.name,))])
        return cast(Span, plans["classes"])

    # answers

    def log_joint(self, batch: Batch, leave_out: bool = False) -> Floats:
        """log P(class, row); with `leave_out` each row is taken out of the statistic before it is scored."""
        if self._told:
            return self._plain.log_joint(batch, leave_out) + self.shift(batch if leave_out else None)
        if not leave_out:
            return self._calibrated(self.scorer.log_joint(batch), batch)
        self._require_hard("leave a row out")
        out = np.empty((batch.rows, len(self.classes)))
        step = max(1, min(BLOCK, MOST_ENTRIES // max(1, len(self.classes) * len(self.schema.features))))
        for begin in range(0, batch.rows, step):
            rows = np.arange(begin, min(begin + step, batch.rows))
            part = batch.take(rows)
            prior = self.log_prior_left_out(part)
            joint = self._power * prior + self.scorer.joint_left_out(part, batch, begin)
            out[rows] = self._calibrated(joint, part, prior)
        return out

    @property
    def _told(self) -> bool:
        """Whether class probabilities or weights were given to a model that was fitted to held-out rows: the fit would
        undo them, so it is made without them and they are applied to its answers."""
        return not self.is_textbook and (self.prior is not None or self.class_weight is not None)

    @versioned
    def _plain(self) -> "Model":
        """This model without given class probabilities and weights."""
        return Model(self.mixture, self.families, self.tally, None, None, self.calibration)

    def shift(self, batch: Batch | None = None) -> Floats:
        """What given class probabilities and weights add to log P(class); rows of a batch are each left out."""
        if batch is None:
            return self.log_prior() - self._plain.log_prior()
        return self.log_prior_left_out(batch) - self._plain.log_prior_left_out(batch)

    def _calibrated(self, joint: Floats, batch: Batch, prior: Floats | None = None) -> Floats:
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
        children = (child for node in self.mixture.networks[0] for child in node.children)
        return any(isinstance(self.schema.columns.get(child), Vector) for child in children)

    def log_proba(self, batch: Batch, leave_out: bool = False, logs: bool = True) -> Floats:
        """log P(class | row), or P with `logs=False`."""
        if leave_out or not self.is_textbook or self.has_vector:
            return log_posterior(self.log_joint(batch, leave_out), logs)
        return self.scorer.log_joint(batch, lambda begin, end, out: normalise(out, begin, end, logs))

    def contributions(self, batch: Batch, empty_rows: bool = True) -> Floats:
        """[row, line, class], the lines being `parts`: they sum to the log joint.

        A row in which nothing is observed has the prior alone, unless `empty_rows` are to be read like others.
        """
        if self._told:
            lines = self._plain.contributions(batch, empty_rows)
            lines[:, 0] += self.shift()
            return lines
        names, shares = credited(self.schema, self.scorer, self.flat, batch)
        place = {name: i for i, name in enumerate(self.parts)}
        lines = np.zeros((batch.rows, len(place), len(self.classes)))
        lines[:, 0] = self._power * self.log_prior()
        for i, name in enumerate(names):  # a column may be read in several ways: they are one line
            lines[:, place[name]] += shares[:, i]
        if self.is_textbook and not self.has_vector:
            return lines
        if not self.is_textbook:
            lines *= self.calibration.exponent
            lines[:, -1] = self.calibration.bias_of(self.classes)
        if empty_rows:
            nothing = without_a_value(batch, self.schema)
            lines[nothing] = 0.0
            lines[nothing, 0] = self.log_prior()
        return lines

    @property
    def parts(self) -> tuple[str, ...]:
        """The lines of `contributions`: the prior, the columns, then what is no single column's doing."""
        named: dict[str, None] = dict.fromkeys([own_line(self.schema, PRIOR)])
        for name in self.scorer.names:
            named |= dict.fromkeys(lines_of(self.schema, name))
        return (*named, *(() if self.is_textbook else (own_line(self.schema, OFFSET),)))

    @property
    def names(self) -> tuple[str, ...]:
        """The columns, in the order of `contributions`."""
        return self.scorer.names

    def parts_left_out(self, batch: Batch) -> Floats:
        """[row, part, class] of rows each left out, without powers: what the weigher weighs.

        The parts are the prior and the columns; or, of a mixture, its networks, each with the prior in it.
        """
        prior, scorer = self._plain.log_prior_left_out(batch), self.scorer
        if isinstance(scorer, MixtureScorer):
            return scorer.parts_left_out(batch, prior)
        return np.concatenate([prior[:, None], scorer.left_out(batch)], axis=1)

    def sample(self, rows: int, draw: "np.random.Generator") -> tuple[dict[str, Any], NDArray[Any]]:
        """Rows drawn from the model: values of each source column, and the classes."""
        label = self._labels(rows, draw)
        drawn = self._drawn_flat(label, draw)
        if isinstance(self.scorer, MixtureScorer):
            drawn |= self.scorer.sample(label, draw)
        return decoded(self.schema, drawn, draw), np.asarray(self.classes, object)[label]

    def sample_flat(self, rows: int, draw: "np.random.Generator") -> dict[str, Any]:
        """Values of the source columns that depend on the class alone; no others are there."""
        drawn = self._drawn_flat(self._labels(rows, draw), draw)
        single = {n: v for n, v in drawn.items() if not isinstance(self.schema.columns[n], Vector)}
        return decoded(self.schema, single, draw)

    def _labels(self, rows: int, draw: "np.random.Generator") -> NDArray[np.intp]:
        p = np.exp(self.flat.prior - self.flat.prior.max())
        return np.asarray(draw.choice(len(p), rows, p=p / p.sum()), np.intp)

    def _drawn_flat(self, label: NDArray[np.intp], draw: "np.random.Generator") -> dict[str, Any]:
        """What is encoded, of each column that depends on the class alone."""
        flat = self.flat
        return {
            name: group.family.sample(flat.form_of(form, group, j), label + 1, draw)
            for group, form in zip(flat.groups, flat.forms, strict=True)
            for j, name in enumerate(group.names)
        }

    def _check_classes(self, schema: Schema) -> None:
        """Refuse a class that joins a model whose class probabilities were given."""
        late = [c for c in schema.target.levels if self.prior is not None and c not in self.prior]
        if late:
            raise ValueError(
                f"priors gives no probability for the class {late[0]!r}; fit again with priors for every class"
            )

    # one row at a time

    def rows(self) -> Rows | None:
        """The path of single rows into this tally; None when the model must see whole tables."""
        views, key = self.tally.views, ("rows", self)
        if key not in views:
            alpha = self.class_prior.family.alpha
            learned = self.prior is None and self.class_weight is None and not isinstance(alpha, str)
            deep = isinstance(self.scorer, MixtureScorer)
            possible = not deep and self.is_textbook and can_stream(self.tally, self.groups)
            views[key] = Rows(self.tally, self.groups, float(alpha) if learned else -1.0) if possible else None  # type: ignore[arg-type]
        return cast(Rows | None, views[key])

    def row_log_joint(self, row: Mapping[str, Any]) -> Floats:
        """log P(class, row) of one row given as a dict."""
        rows = self.rows()
        if rows is None or Model.__dict__["scorer"].is_kept(self):
            return self.log_joint(self.schema.encode_row(row))
        learned = rows.kernel_has_prior
        out = np.zeros((1, len(self.classes))) if learned else self.log_prior().reshape(1, -1)
        return rows.log_joint(row, out)

    def learn_row(self, row: Mapping[str, Any], label: Level, weight: float | None = None) -> "Model":
        """This model with one more row, given as a dict: itself, or a twin where new levels or classes have joined."""
        self._require_hard("learn more rows")
        rows = self.rows()
        schema = self.schema if label in self.schema.target.slot else self.schema.with_classes([label])
        if rows is None or (weight is not None and not self.tally.weighted):
            schema, other = schema.grown_by_row(row), self.twin()
            other.learn(schema.encode_row(row, label, weight), schema)
            return other
        w = 1.0 if weight is None else weight
        if schema is self.schema and rows.learn(row, schema.target.slot[label], w):
            self._changed()
            return self
        schema = schema.grown_by_row(row)
        schema.read_row(row, to_learn=True)  # whatever is wrong with the row is said before anything changes
        self._check_classes(schema)
        other = self.twin()
        other.tally = self.tally.on(schema)
        longer = rows.lengthened(other.tally)
        if longer is not None:
            other.tally.views["rows", other] = longer
        grown = other.rows()
        assert grown is not None
        grown.learn(row, schema.target.slot[label], w)
        return other

    # the group

    @cached_property
    def iterative(self) -> str:
        """The column whose parameters are no function of sums; empty where there is none."""
        return next((name for name, family in self.families.items() if getattr(family, "iterative", False)), "")

    def _require_hard(self, what: str) -> None:
        """Refuse what would change parameters that are no sums, or shares of unlabelled rows, which are not kept."""
        if self.iterative:
            raise ValueError(
                f"this model cannot {what}: what the words of {self.iterative!r} say was found by iteration over all "
                "rows together (nb_lr), and is no sum; fit all rows again, or use another model of the text"
            )
        if self.soft:
            raise ValueError(
                f"this model cannot {what}: it has learned rows without labels, and what these count in each class "
                "depends on all other rows; fit the rows that are to be in it together"
            )

    def learn(self, batch: Batch, schema: Schema) -> None:
        """Add rows encoded by `schema`, which may know more levels; on an error nothing has changed."""
        self._require_hard("learn more rows")
        self._check_classes(schema)
        fresh = count(schema, self.tally.layout.cliques, batch)
        grown = self.tally.on(schema)
        grown = grown.copy() if grown is self.tally else grown  # others may be reading it
        grown.add(fresh)
        self.tally = grown
        self._changed()

    def forget(self, batch: Batch) -> None:
        """Subtract rows; refused, with the first row that cannot have been learned, before anything changes."""
        self._require_hard("forget rows")
        fresh = count(self.schema, self.tally.layout.cliques, batch)
        refuse_never_learned(self.tally, fresh, batch, self.decayed)
        left = self.tally.copy()
        left.add(fresh, -1)
        self.tally = left
        self._changed()

    def trimmed(self, classes: bool = True) -> "Model":
        """This model without the levels, terms and classes that no row shows, and that nobody declared."""
        tally = trimmed(self.tally, classes)
        if tally is self.tally:
            return self
        known = set(tally.schema.target.levels)
        other = self.on(tally, self.decayed)
        other.calibration = replace(self.calibration, bias=tuple(b for b in self.calibration.bias if b[0] in known))
        return other

    def decay(self, factor: float) -> None:
        """Multiply every row's weight."""
        if self.iterative:
            self._require_hard("decay")
        self.tally = self.tally * factor
        self.decayed = True
        self._changed()

    def without(self, batch: Batch) -> "Model":
        """A model of the other rows."""
        self._require_hard("leave rows out")
        return self.on(self.tally - count(self.schema, self.tally.layout.cliques, batch), self.decayed)

    def on(self, tally: Tally, decayed: bool = False) -> "Model":
        """The same model reading another tally."""
        other = Model(self.mixture, self.families, tally, self.prior, self.class_weight, self.calibration)
        other.decayed = decayed
        return other

    def blank(self) -> "Model":
        """The same model of no rows: schema, densities and structure, nothing counted."""
        self._require_hard("be emptied")
        return self.on(Tally.zero(self.schema.all_declared(), self.tally.layout.cliques))

    def __add__(self, other: "Model") -> "Model":
        """A model of both models' rows, with this one's smoothing and prior."""
        self._require_hard("be merged")
        other._require_hard("be merged")
        self.schema | other.schema  # refuses columns that are not encoded alike
        if bare(self.mixture) != bare(other.mixture):
            raise ValueError(
                "the two models have different structures; let the second learn its rows into the first's: "
                "first.blank().partial_fit(X, y)"
            )
        for clique in set(self.tally.layout.cliques) ^ set(other.tally.layout.cliques):
            column = (clique.terms or clique.keys)[0]
            raise ValueError(
                f"column {column!r} has a {name_of(self, column)} density here and a {name_of(other, column)} one "
                "there; let the second learn its rows into the first's: first.blank().partial_fit(X, y)"
            )
        both = Model(
            self.mixture, self.families, self.tally + other.tally, self.prior, self.class_weight, self.calibration
        )
        both.decayed = self.decayed or other.decayed
        return both


def bare(mixture: Mixture) -> Any:
    """A mixture's graphs without their exponents, which are settings of one model."""
    return [[(node.children, node.parents) for node in network] for network in mixture.networks]


def name_of(model: Model, column: str) -> str:
    """What a column's family is called."""
    return type(model.families[column]).__name__.lower()
