"""Networks in files: the ending of the name says which format; .gz is packed or unpacked on the way.

>>> read_network("sprinkler").factorization()
'P(cloudy) P(sprinkler | cloudy) P(rain | cloudy) P(grass | sprinkler, rain)'
"""

import gzip
import zlib
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING

from bayesfold.data.frame import Level
from bayesfold.networks import formats
from bayesfold.networks.counting import Counting
from bayesfold.networks.declared import MOST_BYTES, FormatError
from bayesfold.networks.factor_states import check_name
from bayesfold.networks.network import BayesianNetwork
from bayesfold.runtime import atomic_file
from bayesfold.runtime.messages import listed

if TYPE_CHECKING:
    from bayesfold.networks.mixed.network import MixedNetwork  # loaded with the first file that has numbers


def read_network(path: str | Path) -> "BayesianNetwork | MixedNetwork":
    """Read a network from a file, or, given a name without an extension, one of the built-in examples.

    The extension of a file says its format. A file with numeric nodes gives a `MixedNetwork`.
    """
    if isinstance(path, str) and not Path(path).suffix:
        return read_example(path)
    form = formats.for_path(path)
    try:
        network: BayesianNetwork | MixedNetwork = form.read(read_contents(Path(path)), Path(path).name)
    except FormatError as error:
        raise FormatError(error.message, error.line, error.column, Path(path).name) from None
    return network


def read_states(path: str | Path) -> BayesianNetwork:
    """A network of categories; one with numbers is refused, with what to do."""
    network = read_network(path)
    if not isinstance(network, BayesianNetwork):
        raise ValueError(
            f"{Path(path).name} has numbers among its nodes ({listed(network.numbers)}), and this takes networks of "
            "categories: ask it in Python, or with 'bayesfold query'"
        )
    return network


def write_network(network: "BayesianNetwork | MixedNetwork", path: str | Path) -> None:
    """Write a network to a file, atomically: nothing changes if the format cannot represent it, or writing fails."""
    if not isinstance(network, Counting):
        raise TypeError(
            f"a file holds a network, not a {type(network).__name__}: a result of learning has one, .network"
        )
    network.complete()
    form = formats.for_path(path)
    if not isinstance(network, BayesianNetwork) and not getattr(form, "NUMBERS", False):
        raise ValueError(
            f"{form.SUFFIXES[0]} files hold networks of categories, and {listed(network.numbers)} is a number: write "
            "this network as .json"
        )
    if getattr(form, "HOLDS_NAMES", True):
        refuse_unreadable_names(network)
    try:
        data = form.write(network).encode("utf-8")
    except UnicodeEncodeError as error:
        near = error.object[max(0, error.start - 20) : error.end + 20]
        raise ValueError(f"half of a character stands in a name, in {near!r}; no file holds it: rename it") from None
    atomic_file.write(path, gzip.compress(data, mtime=0) if Path(path).suffix.lower() == ".gz" else data)


def refuse_unreadable_names(network: "BayesianNetwork | MixedNetwork") -> None:
    """Refuse names that no file can give back: an empty one, and states of one variable that are written alike."""
    for v in network.nodes:
        if not v:
            raise ValueError("a variable has no name, and files go by names; give it one")
        written: dict[str, Level] = {}
        for state in network.axes.get(v, ()):
            if str(state) in written:
                raise ValueError(
                    f"the states {written[str(state)]!r} and {state!r} of {v!r} are written alike, and no file tells "
                    "them apart; rename one"
                )
            written[str(state)] = state


def read_contents(path: Path) -> bytes:
    """The bytes of a file, unpacked; what is larger than a network can be is refused before it is held."""
    try:
        with gzip.open(path) if path.suffix.lower() == ".gz" else path.open("rb") as file:
            data: bytes = file.read(MOST_BYTES + 1)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise FormatError(f"this is not a complete gzip file ({error}); pack it again") from None
    if len(data) > MOST_BYTES:
        raise FormatError(f"the file is longer than a network may be, {MOST_BYTES >> 20} MiB")
    if not data.strip():
        raise FormatError("the file is empty; it should hold a network")
    return data


def examples() -> list[str]:
    """The built-in networks: our own numbers, for learning and for trying things out."""
    return sorted(Path(entry.name).stem for entry in examples_folder().iterdir() if entry.name.endswith(".bif"))


def read_example(name: str) -> BayesianNetwork:
    """A built-in network by its name."""
    check_name("network", name, examples())
    network: BayesianNetwork = formats.find("bif").read(examples_folder().joinpath(f"{name}.bif").read_bytes())
    return network


def examples_folder() -> Traversable:
    """Where the examples stand."""
    return files("bayesfold.networks") / "examples"
