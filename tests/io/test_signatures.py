"""Files are what they are, whatever letters they begin with."""

import bz2
import gzip
import mailbox
import tarfile

import pyarrow as pa
import pyarrow.ipc as ipc
import pyarrow.parquet as pq
import pytest

from bayesfold.io.engines import mail
from bayesfold.io.open import open_source
from bayesfold.io.signatures import Ends

ROWS = "1,2,p\n3,4,q\n" * 30
STARTS = [
    "BZ", "BZh", "BZh9", "From ", "From here to there", "From May to June 12:00", "PAR1", "ARROW1", "(µ", "(µ/", "1f8b",
]  # fmt: skip


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
@pytest.mark.parametrize("name", ["t.csv", "t.txt", "t"])
def test_a_header_may_begin_like_another_kind_of_file(start, encoding, name, tmp_path):
    path = tmp_path / name
    for end in ("", "PAR1", "ARROW1"):
        path.write_bytes((f"{start},b,y\n{ROWS}5,6,{end or 'p'}").encode(encoding))
        with open_source(path) as source:
            assert source.names == (start, "b", "y")
            assert source.engine == "csv"
            assert source.count() == 61


def test_packed_files_are_unpacked_whatever_they_are_called(tmp_path):
    text = ("a,y\n" + "1,p\n" * 50).encode()
    zstd = pa.Codec("zstd").compress(text, asbytes=True)
    packed = {
        "gz": gzip.compress(text),
        "bz2": bz2.compress(text),
        "zst": zstd,
        "none": text,
        "empty": bz2.compress(b""),
    }
    for ending, data in packed.items():
        path = tmp_path / f"t.{ending}"
        path.write_bytes(data)
        with open_source(path) as source:
            if ending == "empty":
                with pytest.raises(ValueError, match="is empty"):
                    _ = source.names
            else:
                assert source.count() == 50, ending


@pytest.mark.parametrize("name", ["t.parquet", "t.csv", "t"])
def test_arrow_files_are_known_by_their_bytes(name, tmp_path):
    table = pa.table({"a": [1, 2], "y": ["p", "q"]})
    pq.write_table(table, tmp_path / name)
    assert open_source(tmp_path / name).engine == "arrow"
    for write in (ipc.new_file, ipc.new_stream):
        with write(str(tmp_path / name), table.schema) as file:
            file.write_table(table)
        assert open_source(tmp_path / name).engine == "arrow"


def test_a_damaged_file_is_called_what_its_name_says(tmp_path):
    pq.write_table(pa.table({"a": [1]}), tmp_path / "t.parquet")
    (tmp_path / "t.parquet").write_bytes((tmp_path / "t.parquet").read_bytes()[:-6])
    with open_source(tmp_path / "t.parquet") as source, pytest.raises(ValueError, match="cannot be read as Parquet"):
        _ = source.names


def test_mail_is_known_by_the_date_of_its_first_line(tmp_path):
    box = mailbox.mbox(tmp_path / "letters")
    box.add("Subject: hello\n\nbody\n")
    box.close()
    assert "subject" in open_source(tmp_path / "letters").names
    assert mail.opens(Ends(b"From - Sat Jan 06 12:00:00 2024\r\nX-Status: 1\r\n", b"", 50, "Inbox"))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"PK\x03\x04rest", "ZIP archive"),
        (b"\xfd7zXZ\x00", "xz"),
        (b"SQLite format 3\x00", "SQLite"),
        (b"%PDF-1.7", "PDF"),
    ],
)
def test_what_is_no_table_is_called_by_its_name(data, words, tmp_path):
    (tmp_path / "t.csv").write_bytes(data)
    with pytest.raises(ValueError, match=rf"t.csv is .*{words}"):
        open_source(tmp_path / "t.csv")


@pytest.mark.parametrize("name", ["t.tar", "t.tar.gz", "t.csv.bz2"])
def test_archives_are_called_so_packed_or_not(name, tmp_path):
    """Their first line is a line of the table behind 500 bytes of names, and the rest of it would be rows."""
    (tmp_path / "t.csv").write_text("x,y\n" + "1,p\n2,q\n" * 500)
    packing = {".gz": "gz", ".bz2": "bz2"}.get(name[name.rindex(".") :], "")
    with tarfile.open(tmp_path / name, f"w:{packing}") as archive:
        archive.add(tmp_path / "t.csv", "t.csv")
    with pytest.raises(ValueError, match=f"{name} is a tar archive; unpack it first"):
        open_source(tmp_path / name)
