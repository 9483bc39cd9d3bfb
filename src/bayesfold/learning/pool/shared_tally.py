"""Several models on one schema and one tally, so that they learn, forget and merge as one."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from bayesfold.data.frame import Coded, Floats, Frame
from bayesfold.data.graph import Mixture, Node, nodes_below
from bayesfold.data.own_names import own_name
from bayesfold.data.schema import Column, Schema
from bayesfold.models.model import Model
from bayesfold.models.plan import cliques
from bayesfold.tally.counter import count


def unite_models(models: Mapping[str, Model], frame: Frame, labels: Coded, weight: Floats | None) -> dict[str, Model]:
    """The models on one schema and one tally; a column that two read in different ways appears under both."""
    columns: dict[str, Column] = {}
    renamed: dict[str, dict[str, str]] = {}
    taken = {name for model in models.values() for name in (*model.schema.columns, *model.schema.sources)}
    for part, model in models.items():
        names = {model.schema.target.name: model.schema.target.name}
        for column in model.schema.features:
            shared = column.name in model.schema.tables and columns.get(column.name) == column
            if column.name not in columns or shared:
                names[column.name] = column.name
                columns[column.name] = column
            else:
                names[column.name] = own_name(taken, f"{column.name} ({part})")
                taken.add(names[column.name])
                columns[names[column.name]] = column.called(names[column.name])
        renamed[part] = names
    first = next(iter(models.values()))
    schema = Schema(first.schema.target, tuple(columns.values()), first.schema.left_out)
    parts = {
        part: (moved(m.mixture, renamed[part]), {new: m.families[old] for old, new in renamed[part].items()})
        for part, m in models.items()
    }
    wanted = dict.fromkeys(c for mixture, families in parts.values() for c in cliques(schema, mixture, families))
    tally = count(schema, tuple(wanted), schema.encode(frame, labels, weight))
    return {
        part: Model(mixture, families, tally, models[part].prior, models[part].class_weight, models[part].calibration)
        for part, (mixture, families) in parts.items()
    }


def moved(mixture: Mixture, names: Mapping[str, str]) -> Mixture:
    """A mixture over renamed columns; the same one where none is, by which what was worked out for it is known."""
    if all(old == new for old, new in names.items()):
        return mixture

    @cache
    def all_of(some: tuple[str, ...]) -> tuple[str, ...]:
        return tuple([names[n] for n in some])

    def renamed(node: Node) -> Node:
        children, parents = all_of(node.children), all_of(node.parents)
        plain = len(children) == 1 and node.power == 1.0
        return nodes_below(parents)[children[0]] if plain else Node(children, parents, node.power)

    networks = tuple([tuple([renamed(node) for node in network]) for network in mixture.networks])
    return replace(mixture, networks=networks, roots=tuple(all_of(r) for r in mixture.roots))
