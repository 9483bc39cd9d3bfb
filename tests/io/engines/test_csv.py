"""What is said of a text file that cannot be read: damage by the file, and what the system says as it is."""

import gzip
import re

import pytest

from bayesfold.io.engines.csv import Csv


@pytest.mark.parametrize(
    ("name", "error", "damaged"),
    [
        ("t.csv.gz", OSError("CRC check failed"), True),
        ("t.csv.gz", OSError(5, "Input/output"), False),
        ("t.csv", OSError("something else"), False),
        ("t.csv", OSError(5, "Input/output"), False),
    ],
)
def test_a_file_that_cannot_be_unpacked_is_told_from_one_that_cannot_be_read(tmp_path, name, error, damaged):
    text = b"a,y\n1,p\n2,q\n"
    (tmp_path / name).write_bytes(gzip.compress(text) if name.endswith("gz") else text)
    part = Csv(tmp_path / name, name)
    said = (
        f"{name} cannot be unpacked .*: it is cut off or damaged; take another copy"
        if damaged
        else re.escape(str(error))
    )
    with pytest.raises(ValueError if damaged else OSError, match=said) as raised, part._decoded():
        raise error
    assert (raised.value is error) is not damaged
