"""What is said of files that are damaged, of another make, or hostile; and that nothing in them is run."""

import io
import json
import os
import pickle
import random
import tracemalloc
import zipfile

import numpy as np
import pytest
from safetensors.numpy import save as file_of

import bayesfold as bf
from bayesfold import store
from bayesfold.store import Unreadable, file

from .damaged import closed, edited, flipped, opened
from .models import NAMES, rows_of, trained

DATA = file.to_bytes(trained("naive"))
SOAK = os.environ.get("BAYESFOLD_SOAK") == "1"


def refused(data, words="; |: "):
    """Check in which words a file is refused."""
    with pytest.raises(Unreadable, match=words):
        file.from_bytes(data)


def zipped():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("m.bayes", DATA)
    return out.getvalue()


def says(content):
    return closed(f'{{"format": 1, "version": "{bf.__version__}", "content": {content}}}', {})


class Trap:
    """An object whose unpickling leaves a trace."""

    sprung = False

    def __reduce__(self):
        return (setattr, (Trap, "sprung", True))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "the file is empty"),
        (zipped(), "this is a ZIP archive; not a model"),
        (pickle.dumps(Trap()), "this is a pickle, which is code; bayesfold never runs any"),
        (b"\x1f\x8b" + DATA, "this is a gzip file: unpack it first"),
        (b"PAR1" + DATA, "is it the data rather than the model"),
        (b"coat,mass,pet\nlong,3,cat\n", "this is not a model that bayesfold saved"),
        (DATA[:5], "cut off"),
        (DATA[:200], "it is cut off: its header has .* bytes, and 192 of them are there"),
        (DATA[:-1], "its arrays are not where its header says"),
        (DATA + b"\0", "its arrays are not where its header says"),
        (DATA[:-40] + b"\1" + DATA[-39:], "it was changed since it was written"),
        (file_of({"a": np.zeros(2)}), "this is a safetensors file; not a model"),
        (file_of({"a": np.zeros(2)}, {"bayesfold": "{}"}), "does not say which version"),
        (file_of({"a": np.zeros(2)}, {"bayesfold": '{"a": 1, "a": 2}'}), "'a' is there twice in one object"),
        (file_of({"a": np.zeros(2)}, {"bayesfold": '{"a": NaN}'}), "NaN is not a number"),
        (file_of({"a": np.zeros(2)}, {"bayesfold": "[" * 100_000}), "nested deeper than any model's"),
        (says("[" * 900 + "]" * 900), "it holds no model|nested deeper than any model's"),
        (says("9" * 5000), "its header cannot be read"),
        (says("[]"), "it holds no model"),
    ],
    ids=range(19),
)
def test_what_is_wrong_with_a_file_is_said(data, words, tmp_path):
    refused(data, words)
    assert not Trap.sprung
    path = tmp_path / "m.bayes"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=r"m\.bayes: "):
        bf.load(path)


def test_a_newer_version_asks_for_an_upgrade():
    told, arrays = opened(DATA)
    newer = closed({**told, "format": file.FORMAT + 1, "version": "9.1.0"}, arrays)
    refused(newer, rf"it was written by bayesfold 9\.1\.0; this is {bf.__version__}: upgrade bayesfold to read it")
    told["content"]["Content"]["settings"]["kind naive"]["invented"] = 1
    refused(closed({**told, "version": "0.1.9"}, arrays), r"'invented'.*; it was written by bayesfold 0\.1\.9, and")


def header(**arrays):
    """A file whose header says this of its arrays, with 16 bytes behind it."""
    text = json.dumps({"__metadata__": {"bayesfold": json.dumps({"format": 1, "version": "0.1.0"})}, **arrays}).encode()
    return len(text).to_bytes(8, "little") + text + b"\0" * 16


@pytest.mark.parametrize(
    "data",
    [
        header(counts={"dtype": "I64", "shape": [2**40], "data_offsets": [0, 2**43]}),
        header(counts={"dtype": "I64", "shape": [2**40], "data_offsets": [0, 16]}),
        header(counts={"dtype": "I64", "shape": [2**62, 8], "data_offsets": [0, 16]}),
        header(counts={"dtype": "I64", "shape": [-2], "data_offsets": [0, 16]}),
        header(
            counts={"dtype": "I64", "shape": [2], "data_offsets": [0, 16]},
            sums={"dtype": "F64", "shape": [1], "data_offsets": [8, 16]},
        ),
        header(counts={"dtype": "I64", "shape": [1], "data_offsets": [8, 16]}),
        header(counts={"dtype": "F8_E5M2", "shape": [16], "data_offsets": [0, 16]}),
        header(counts={"dtype": "OBJECT", "shape": [2], "data_offsets": [0, 16]}),
        (2**63).to_bytes(8, "little") + b"{" * 100,
        (90_000_000).to_bytes(8, "little") + b"{" * 100,
    ],
    ids=range(10),
)
def test_a_header_that_lies_about_sizes_costs_nothing(data):
    tracemalloc.start()
    try:
        refused(data)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_flipped_and_cut_files_are_refused():
    whole = [file.to_bytes(trained(name)) for name in NAMES]
    for seed in range(3_000 if SOAK else 300):
        draw = random.Random(seed)
        data = draw.choice(whole)
        changed = flipped(data, draw)
        if changed != data:
            refused(changed)


def test_edited_files_with_a_digest_that_fits_are_refused_or_score():
    """What passes every check must be a model: it scores rows, and leaves rows out, without a crash."""
    whole = {name: file.to_bytes(trained(name)) for name in NAMES}
    passed = 0
    for seed in range(7_000 if SOAK else 700):
        draw = random.Random(seed)
        name = draw.choice(NAMES)
        try:
            found, _ = file.from_bytes(edited(whole[name], draw))
        except Unreadable:
            continue
        passed += 1
        frame, model = found._read(rows_of(name)), found.model_
        labels = [model.classes[i % len(model.classes)] for i in range(frame.rows)]
        with np.errstate(all="ignore"):
            assert not np.isnan(found.log_proba(frame)).any(), seed
            model.log_proba(model.schema.encode(frame, labels), leave_out=True)
        assert str(store.inspect(found))
    assert passed
