"""Edges of a drawn graph: curves from box to box that are upright in each of their points."""

from collections.abc import Callable, Sequence

Point = tuple[float, float]
HEAD = 7
"""Room for the head of an arrow, in pixels before the picture is enlarged."""


def points_along(
    path: Sequence[tuple[float, int]],
    place: Callable[[tuple[float, int]], Point],
    tall: Sequence[float],
    heights: tuple[float, float],
    heads: tuple[int, int] = (0, HEAD),
) -> list[Point]:
    """Where an edge passes: from under its upper box to above its lower one, upright past the boxes between.

    place: a spot of a row in the picture; tall: the height of each row; heights: those of the two boxes; heads: room
    for arrow heads at both ends.
    """
    (x, y), (end_x, end_y) = place(path[0]), place(path[-1])
    points = [(x, y - heights[0] / 2 - heads[0])]
    for at in path[1:-1]:
        (x, y), half = place(at), tall[at[1]] / 2
        points += [(x, y + half), (x, y - half)]
    return [*points, (end_x, end_y + heights[1] / 2 + heads[1])]


def svg_curve(points: Sequence[Point]) -> str:
    """A line through the points, upright in each of them."""
    (x, y), *more = points
    path = f"M {x:.1f},{y:.1f}"
    for next_x, next_y in more:
        bend = (y - next_y) / 2
        path += f" C {x:.1f},{y - bend:.1f} {next_x:.1f},{next_y + bend:.1f} {next_x:.1f},{next_y:.1f}"
        x, y = next_x, next_y
    return path
