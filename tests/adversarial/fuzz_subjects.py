"""What a fuzzer is given: bytes to begin with, and a function that reads bytes, or refuses them in a sentence."""

import json
import tempfile
from collections.abc import Callable
from contextlib import suppress

from tests.adversarial.sentences import attempt
from tests.store.damaged import closed, opened
from tests.store.models import trained

from bayesfold.io.fit import learn_from
from bayesfold.io.open import open_source
from bayesfold.learning.kinds import find
from bayesfold.networks import formats
from bayesfold.networks.declared import FormatError
from bayesfold.networks.files import examples, read_network
from bayesfold.networks.query import read_query
from bayesfold.store import Unreadable, file

ARRAYS = opened(file.to_bytes(trained("naive")))[1]
AXES = {"lung": ("yes", "no"), "smoke": ("yes", "no"), "dose": (1, 2), "a b": ("x=1", "(y)")}


def read_model(data: bytes) -> None:
    """The JSON of a model file, with a digest that fits, so that what is behind the digest is reached."""
    with suppress(Unreadable, UnicodeDecodeError):
        file.from_bytes(closed(data.decode(), ARRAYS))


def read_any_network(data: bytes) -> None:
    """A network in one of the formats, which the first byte says."""
    names = formats.names()
    with suppress(FormatError):
        formats.find(names[data[0] % len(names)]).read(data[1:]) if data else None


def ask(data: bytes) -> None:
    """A question."""
    with suppress(ValueError):
        read_query(data.decode("utf-8", "replace"), AXES)


def read_table(data: bytes) -> None:
    """A table of text, which may end in a model."""
    with tempfile.NamedTemporaryFile(suffix=".csv") as table:
        table.write(data)
        table.flush()

        def learn() -> None:
            with open_source(table.name) as source:
                names = source.names
            learn_from(find("naive")(), table.name, names[-1])

        attempt(learn)


def first_models() -> list[bytes]:
    """What models say of themselves."""
    return [json.dumps(opened(file.to_bytes(trained(name)))[0]).encode() for name in ("naive", "tan", "bayes")]


def first_networks() -> list[bytes]:
    """Examples in every format."""
    known = [read_network(example) for example in examples()]
    return [
        bytes([number]) + formats.find(name).write(network).encode()
        for number, name in enumerate(formats.names())
        for network in known[:2]
    ]


def first_questions() -> list[bytes]:
    """Questions that are understood."""
    return [b"P(lung | smoke=yes, dose=2)", b"lung", b'P("a b"="x=1" | do(smoke=no), dose=1)', b"a b, lung | dose=1"]


def first_tables() -> list[bytes]:
    """Tables of every sort of column."""
    return [
        b"a,b,y\n1,u,p\n2.5,v,q\n,w,p\n",
        b'\xef\xbb\xbf"a";"b";"y"\r\n"1,5";"u ""v""";"p"\r\n"2,5";"two\r\nlines";"q"\r\n',
        "größe\tb\ty\n1.234,5\t2024-01-31\tja\n-\t2024-02-01\tnein\n".encode("cp1252"),
    ]


SUBJECTS: dict[str, tuple[Callable[[bytes], None], Callable[[], list[bytes]]]] = {
    "model": (read_model, first_models),
    "network": (read_any_network, first_networks),
    "query": (ask, first_questions),
    "table": (read_table, first_tables),
}
