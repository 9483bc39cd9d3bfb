"""The column table: what became of each column, and why."""

from dataclasses import dataclass

BEST = "best held-out density of "


@dataclass(frozen=True)
class ColumnReport:
    """One line of the column table."""

    name: str
    family: str
    why: str


def densities_compared(why: str) -> list[str]:
    """The densities that were compared for a column, by its line of the table; none for a column that was declared.

    >>> densities_compared("best held-out density of gaussian, mdl; missing is a value")
    ['gaussian', 'mdl']
    """
    return why.removeprefix(BEST).split("; ")[0].split(", ") if why.startswith(BEST) else []


class ColumnTable(tuple[ColumnReport, ...]):
    """The column table: one line per column; prints as a table."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        from bayesfold.runtime.text_table import html_table  # only notebooks ask

        return html_table(("column", "family", "why"), [(c.name, c.family or "-", c.why) for c in self], left=3)

    def __repr__(self) -> str:
        lines = [("column", "family", "why"), *((c.name, c.family or "-", c.why) for c in self)]
        wide = [max(len(line[i]) for line in lines) for i in range(2)]
        return "\n".join(f"{name:{wide[0]}}  {family:{wide[1]}}  {why}" for name, family, why in lines)
