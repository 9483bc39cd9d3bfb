"""NET files: what the brackets around numbers say."""

import pytest

from bayesfold.networks.declared import FormatError
from bayesfold.networks.formats import net

HEAD = (
    'net {}\nnode a { states = ("x" "y" "z"); }\nnode b { states = ("u" "v"); }\n'
    "potential (a) { data = (0.2 0.3 0.5); }\n"
)
ROWS = [[0.1, 0.9], [0.5, 0.5], [0.3, 0.7]]


def read(data):
    return net.read(f"{HEAD}potential (b | a) {{ data = {data}; }}".encode()).table("b").values.tolist()


@pytest.mark.parametrize(
    "data",
    [
        "(0.1 0.9 0.5 0.5 0.3 0.7)",
        "((0.1 0.9) (0.5 0.5) (0.3, 0.7))",
        "((0.1 0.9 0.5 0.5 0.3 0.7))",
        "0.1 .9 .5 .5 .3 .7",
    ],
)
def test_brackets_may_be_left_out(data):
    assert read(data) == ROWS


@pytest.mark.parametrize(
    "data", ["((0.1 0.5 0.3) (0.9 0.5 0.7))", "((0.1) (0.9 0.5) (0.5 0.3 0.7))", "((.1 .9 .5 .5) (.3 .7))"]
)
def test_brackets_of_another_table_are_refused(data):
    """The numbers of each state together, as other programs write them, would be read in another order."""
    with pytest.raises(FormatError, match=r"line 5.* brackets of \d numbers, and the table of 'b' has rows of 2"):
        read(data)
