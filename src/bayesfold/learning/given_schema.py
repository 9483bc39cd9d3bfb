"""A schema that is handed over: it says how columns are read, and what is told beside it must not say otherwise."""

from typing import Any

from bayesfold.data.schema import Column, Schema
from bayesfold.families import find, reads_alike
from bayesfold.families.categorical import Categorical
from bayesfold.learning.column_table import ColumnReport, ColumnTable
from bayesfold.learning.discover import Found
from bayesfold.learning.one_column import Options, make, markers, name_of
from bayesfold.learning.recipe import Recipe
from bayesfold.runtime.messages import listed


def read_given_schema(recipe: Recipe) -> Found:
    """A schema that was handed over: nothing is discovered, families follow the encodings unless declared."""
    assert recipe.schema is not None
    schema, options = recipe.schema.all_declared(), recipe.options
    if schema.features and (recipe.normal is not None) != (schema.vectors == schema.features):
        raise ValueError(
            "this schema is that of another kind of model: Gaussian Bayes reads all columns as one vector, and other "
            "models read none so; give the schema_ of a model of the same class"
        )
    refuse_other_marks(schema, options)
    families: dict[str, Any] = {schema.target.name: Categorical(options.prior_alpha)}
    report = []
    for column in schema.features:
        families[column.name] = make(options.families.get(column.name, column.family), options)
        if column.name in options.families:
            refuse_other_reading(column, families[column.name])
        report.append(ColumnReport(column.name, name_of(families[column.name]), "given by schema="))
    return Found(schema, families, ColumnTable(report))


def refuse_other_marks(schema: Schema, options: Options) -> None:
    """Refuse markers of missing values that a column does not have: they would be counted as values."""
    for column in schema.features:
        told = markers(options.missing, column.origin, getattr(column, "levels", ()))
        unknown = told - getattr(column, "missing", told)
        if unknown:
            raise ValueError(
                f"missing= says that {listed(sorted(unknown, key=repr))} in column {column.origin!r} is a missing "
                "value, and for the schema of schema= it is a value; learn the schema with this missing=, or leave one "
                "of the two out"
            )


def refuse_other_reading(column: Column, family: Any) -> None:
    """Refuse a family that does not read what a column's encoding gives."""
    usual, least = find(column.family), getattr(column, "least", None)
    if not reads_alike(type(family), usual) or getattr(family, "least", None) not in (None, least):
        raise ValueError(
            f"column {column.name!r} cannot have the density {name_of(family)!r} that families= declares, because "
            f"schema= reads it as {column.in_words}; learn the schema with this density, or leave one of the two out"
        )
