"""Every network format reads what it writes, digit by digit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold.networks import formats
from bayesfold.networks.dag import Dag
from bayesfold.networks.files import read_network, write_network
from bayesfold.networks.network import BayesianNetwork

NAMES = {
    "xdsl": st.text("abcXYZ019_-.<>&'\"/é", min_size=1, max_size=6),
    "xmlbif": st.text("abc 019_-.<>&'\"/é=|", min_size=1, max_size=6).map(str.strip).filter(bool),
    "uai": st.nothing(),
}
ANY = st.text(min_size=1, max_size=6, alphabet=st.characters(exclude_categories=["Cs"]))
"""Names may hold brackets, marks, quotes, comments and line ends: BIF, NET and JSON quote them."""


@st.composite
def networks(draw, name):
    """A random network whose names the format can hold; for UAI, the names that it reads."""
    n = draw(st.integers(1, 5))
    names = (
        draw(st.lists(NAMES.get(name, ANY), min_size=n, max_size=n, unique=True))
        if name != "uai"
        else [f"x{i}" for i in range(n)]
    )
    axes = {}
    for v in names:
        k = draw(st.integers(1, 3))
        states = NAMES.get(name, ANY)
        axes[v] = (
            tuple(map(str, range(k)))
            if name == "uai"
            else tuple(draw(st.lists(states, min_size=k, max_size=k, unique=True)))
        )
    order = draw(st.permutations(range(n)))
    seed = np.random.default_rng(draw(st.integers(0, 2**32)))
    parents = [()] * n
    for place, i in enumerate(order):
        above = list(order[:place])
        parents[i] = tuple(draw(st.permutations(above))[: draw(st.integers(0, min(2, len(above))))])
    dag = Dag(tuple(names), tuple(parents))
    tables = {}
    for v, above in zip(names, parents, strict=True):
        shape = (*(len(axes[names[p]]) for p in above), len(axes[v]))
        table = seed.dirichlet(np.ones(shape[-1]), shape[:-1] or None).reshape(shape)
        tables[v] = np.where(seed.random(shape) < 0.2, 0.0, table) + np.eye(shape[-1])[0] * 1e-3
        tables[v] /= tables[v].sum(-1, keepdims=True)
    title = "" if name == "uai" else draw(NAMES.get(name, ANY))
    return BayesianNetwork(dag, axes, tables, title)


def assert_same(a, b):
    """The same variables, states, parents and numbers, bit by bit."""
    assert a.name == b.name
    assert set(a.nodes) == set(b.nodes)
    for v in a.nodes:
        assert a.parents(v) == b.parents(v)
        assert a.states(v) == b.states(v)
        np.testing.assert_array_equal(a.tables[v], b.tables[v])


@pytest.mark.parametrize("name", formats.names())
@given(data=st.data())
def test_what_is_written_is_read_again(data, name):
    network = data.draw(networks(name))
    form = formats.find(name)
    again = form.read(form.write(network).encode())
    assert_same(again, network)
    assert form.write(again) == form.write(network)


@pytest.mark.filterwarnings("ignore::bayesfold.networks.declared.FormatWarning")  # of names that UAI does not keep
@pytest.mark.parametrize("packed", ["", ".gz"])
@pytest.mark.parametrize("name", formats.names())
def test_every_ending_of_a_format_is_a_file(tmp_path, name, packed):
    network = read_network("seven-nodes")
    for suffix in formats.find(name).SUFFIXES:
        path = tmp_path / f"network{suffix}{packed}"
        write_network(network, path)
        again = read_network(path)
        assert [again.tables[v].tolist() for v in again.nodes] == [network.tables[v].tolist() for v in network.nodes]
