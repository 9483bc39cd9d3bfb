"""Bytes that a fuzzer makes up by watching which lines they reach: read, or refused in a sentence.

python -m tests.adversarial.fuzz SUBJECT --minutes 5

Needs atheris, which no other part of this project does (`pip install atheris`; Linux, Python 3.11 or 3.12). What fails
is printed with its traceback, and its bytes are left in the current folder as `crash-...`.
"""

import argparse
import sys
import tempfile
import warnings
from importlib import import_module
from pathlib import Path

SUBJECTS = ("model", "network", "query", "table")


def main() -> None:
    """Read the command line, and go on until the time is over or something fails."""
    import atheris

    parser = argparse.ArgumentParser(prog="python -m tests.adversarial.fuzz", description=__doc__)
    parser.add_argument("subject", choices=SUBJECTS)
    parser.add_argument("--minutes", type=float, default=5.0)
    told = parser.parse_args()
    warnings.simplefilter("ignore")
    with atheris.instrument_imports(include=["bayesfold"]):
        try_one, first = import_module("tests.adversarial.fuzz_subjects").SUBJECTS[told.subject]
    with tempfile.TemporaryDirectory() as corpus:
        for number, data in enumerate(first()):
            Path(corpus, str(number)).write_bytes(data)
        limits = [f"-max_total_time={int(60 * told.minutes)}", "-max_len=6000", "-rss_limit_mb=4000", "-timeout=60"]
        atheris.Setup([sys.argv[0], corpus, *limits, "-print_final_stats=1"], try_one)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
