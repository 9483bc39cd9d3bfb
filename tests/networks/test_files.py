"""Networks in files: what no file can give back is refused before one is written."""

import pytest

import bayesfold as bf


def network(name="a", states=("x", "y")):
    """Two variables, of which the first is called so and has these states."""
    tables = {name: [0.25, 0.75], "b": [[0.5, 0.5], [0.1, 0.9]]}
    return bf.BayesianNetwork.from_edges([(name, "b")], [name, "b"], tables, {name: states, "b": ("u", "v")})


@pytest.mark.parametrize("ending", ["bif", "xmlbif", "net", "xdsl", "json", "bif.gz"])
@pytest.mark.parametrize(
    ("net", "words"),
    [
        (network(name=""), "a variable has no name"),
        (network(states=(1, "1")), "the states 1 and '1' of 'a' are written alike"),
        (network(states=(True, "True")), "the states True and 'True' of 'a' are written alike"),
    ],
    ids=["no name", "1", "True"],
)
def test_names_that_no_file_gives_back_are_refused_and_the_file_stays(tmp_path, ending, net, words):
    path = tmp_path / f"net.{ending}"
    path.write_bytes(b"as it was")
    with pytest.raises(ValueError, match=words):
        bf.write_network(net, path)
    assert path.read_bytes() == b"as it was"


def test_uai_has_no_names_and_takes_any(tmp_path):
    with pytest.warns(UserWarning, match="has no names"):
        bf.write_network(network(states=(1, "1")), tmp_path / "net.uai")
    assert (tmp_path / "net.uai").exists()
