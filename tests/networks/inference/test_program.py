"""One place names the entries of a plan: the kernels' header, with which Python's names agree."""

import re
from pathlib import Path

import pytest
from tests.kernels.reference import header

from bayesfold.kernels import inference
from bayesfold.networks.inference import program

KERNELS = sorted(Path(inference.__file__).parent.glob("[!_]*.py"))


def test_names_agree_with_the_header_of_the_kernels():
    named = {name: value for name, value in vars(program).items() if name.isupper()}
    assert len(named) == 7
    assert named == {name: getattr(header("program"), name) for name in named}


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda path: path.stem)
def test_a_kernel_calls_entries_by_these_names(kernel):
    text = kernel.read_text()
    assert re.findall(r"program\[(?:at \+ |r \+ |message \+ |HEADER \+ \w+ \* CLIQUE \+ )?\d+\]", text) == []
    declared = re.findall(r"^([A-Z_]+) = cython\.declare\(cython\.Py_ssize_t", text, re.MULTILINE)
    assert [name for name in declared if hasattr(header("program"), name)] == []
