"""Python's names for the entries of a plan are the kernels'."""

from tests.kernels.reference import header

from bayesfold.networks.inference import program


def test_names_agree_with_the_header_of_the_kernels():
    named = {name: value for name, value in vars(program).items() if name.isupper()}
    assert len(named) == 7
    assert named == {name: getattr(header("program"), name) for name in named}
