"""Truncated, mutated and hostile files: a network or a clear error, never a crash, a hang or a memory blow-up."""

import random

import pytest
from tests.networks.graphs import times
from tests.networks.mixed.brute_force import random_network

from bayesfold.networks import formats
from bayesfold.networks.declared import FormatError
from bayesfold.networks.files import examples, read_network
from bayesfold.networks.mixed.lines import Lines

resource = pytest.importorskip("resource")  # what tells the peak of memory, where there is such a thing

COUNT = times(100_000)
"""Files in all."""

SPICE = [
    b"{", b"}", b"(", b")", b"[", b"]", b"|", b",", b";", b"=", b'"', b"\\", b"/*", b"*/", b"//", b"%", b"#", b"\n",
    b"\0", b"<", b">", b"&", b"&a;", b"</", b"/>", b"<!--", b"-->", b"<![CDATA[", b"<!DOCTYPE a [<!ENTITY b 'c'>]>",
    b"\xff\xfe", b"\xe2\x82", b"-1", b"1e999", b"nan", b"NaN", b"inf", b"99999999999999999999", b"0x10", b"1_0",
    b"table", b"default", b"property", b"network", b"variable", b"probability", b"discrete", b"node", b"potential",
    b"data", b"states", b"BAYES", b"null", b"true", b"[[[[[[[[", b"{{{{{{{{", b"\xc2\xa0", b"\xe2\x80\xa8",
]  # fmt: skip


def mutated(data, draw):
    """A few cuts, copies, swaps and insertions of what a parser may trip over."""
    data = bytearray(data)
    for _ in range(draw.choice([1, 1, 1, 2, 3, 8])):
        at = draw.randrange(len(data) + 1)
        end = min(len(data), at + draw.choice([1, 1, 2, 5, 20, 200]))
        what = draw.randrange(7)
        if what == 0:
            del data[at:]
        elif what == 1:
            del data[at:end]
        elif what == 2:
            data[at:at] = data[at:end] * draw.choice([1, 2, 50])
        elif what == 3:
            data[at:at] = draw.choice(SPICE)
        elif what == 4:
            data[at:end] = draw.choice(SPICE)
        elif what == 5 and data:
            data[draw.randrange(len(data))] = draw.randrange(256)
        else:
            data[at:end] = bytes(str(draw.choice([0, 2, 3, 10**6, 10**9, 2**63, -5, 0.5])), "ascii")
    return bytes(data)


@pytest.mark.parametrize("name", formats.names())
@pytest.mark.filterwarnings("ignore::bayesfold.networks.declared.FormatWarning")
def test_whatever_is_read_ends_in_a_network_or_a_clear_error(name):
    form = formats.find(name)
    seeds = [form.write(read_network(example)).encode() for example in examples()]
    if getattr(form, "NUMBERS", False):
        seeds += [form.write(random_network(seed, categories=2, numbers=3)).encode() for seed in range(2)]
    draw = random.Random(f"bayesfold {name}")
    outcomes = {"network": 0, "error": 0}
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(COUNT // len(formats.names())):
        data = mutated(draw.choice(seeds), draw)
        try:
            network = form.read(data)
        except FormatError:
            outcomes["error"] += 1
        else:
            tables = [table for table in network.tables.values() if not isinstance(table, Lines)]
            assert all(abs(table.sum(-1) - 1).max() < 1e-9 for table in tables)
            outcomes["network"] += 1
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300 << 10  # KiB
    assert min(outcomes.values()) > 0  # the mutations are neither harmless nor all fatal


@pytest.mark.filterwarnings("ignore::bayesfold.networks.declared.FormatWarning")  # of names that UAI does not keep
@pytest.mark.parametrize("name", formats.names())
def test_hostile_texts_are_read_in_linear_time(name):
    """Long runs of one piece, where a careless pattern would go back over and over."""
    form = formats.find(name)
    seed = form.write(read_network("sprinkler")).encode()
    for piece in (*SPICE, b" ", b"a", b"/* ", b"/**/", b'" ', b"((", b"a,", b"0.5 ", b"property x ", b"<a>", b"[1,"):
        for data in (
            piece * 20_000,
            seed + piece * 20_000,
            seed[: len(seed) // 2] + piece * 20_000 + seed[len(seed) // 2 :],
        ):
            try:
                form.read(data)
            except FormatError:
                continue
