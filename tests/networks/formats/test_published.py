"""All the published networks load, through every format, and equal what pyAgrum reads."""

import gzip

import numpy as np
import pytest
from tests.networks.published import MISSING, NODES, PATHS

from bayesfold.networks import formats
from bayesfold.networks.files import read_network, write_network

pytestmark = pytest.mark.skipif(not PATHS, reason=MISSING)
FORMATS = [name for name in formats.names() if name != "uai"]


@pytest.mark.parametrize("name", NODES)
def test_every_published_network_loads(name):
    network = read_network(PATHS[name])
    assert len(network.nodes) == NODES[name]
    assert set(network.tables) == set(network.nodes)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", ["child", "alarm", "hailfinder"])
def test_published_networks_survive_every_format(tmp_path, name, form):
    network = read_network(PATHS[name])
    path = tmp_path / f"x{formats.find(form).SUFFIXES[0]}"
    write_network(network, path)
    again = read_network(path)
    for v in network.nodes:
        assert again.states(v) == network.states(v)
        assert again.parents(v) == network.parents(v)
        np.testing.assert_array_equal(again.tables[v], network.tables[v])


def same_as_pyagrum(ours, theirs):
    """Cell by cell, found by the names of the states; pyAgrum keeps six or seven digits of some formats."""
    assert set(ours.nodes) == set(theirs.names())
    for v in ours.nodes:
        cpt = theirs.cpt(v)
        names = list(cpt.names)
        table = ours.table(v)
        assert set(names) == set(table.axes)
        for u in names:
            assert tuple(theirs.variable(u).labels()) == table.axes[u]
        np.testing.assert_allclose(np.asarray(cpt.toarray()), table.ordered(*reversed(names)).values, atol=1e-6)


@pytest.mark.parametrize("name", ["asia", "alarm", "insurance", "hailfinder"])
def test_pyagrum_reads_the_same_numbers_from_bif(tmp_path, name):
    gum = pytest.importorskip("pyagrum")
    path = tmp_path / f"{name}.bif"
    path.write_bytes(gzip.decompress(PATHS[name].read_bytes()))
    same_as_pyagrum(read_network(path), gum.loadBN(str(path)))


# pyAgrum reads and writes the parents of an XDSL table in the opposite order to GeNIe's, so it is no oracle for that.
@pytest.mark.parametrize("suffix", ["bif", "net", "bifxml"])
@pytest.mark.parametrize("name", ["asia", "alarm", "insurance"])
def test_pyagrum_reads_what_we_write_and_we_read_what_it_writes(tmp_path, name, suffix):
    gum = pytest.importorskip("pyagrum")
    network = read_network(PATHS[name])
    ours, theirs = tmp_path / f"ours.{suffix}", tmp_path / f"theirs.{suffix}"
    write_network(network, ours)
    read = gum.loadBN(str(ours))
    same_as_pyagrum(network, read)
    gum.saveBN(read, str(theirs))
    same_as_pyagrum(read_network(theirs), read)
