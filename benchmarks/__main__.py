"""Print the table of speeds: `python -m benchmarks [--rows gaussian,stream] [--quick] [--full] [--json out.json]`.

Times are shown, never asserted. The exit code is 0 unless an answer disagrees with the peer's, or a row cannot run.
"""

import argparse
import json
import os
import sys
import time
import traceback
import warnings
from pathlib import Path

from benchmarks.rows import Options, find, names
from benchmarks.table import COLUMNS, Line, row


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Speed beside peers, on the same work.")
    parser.add_argument("--rows", default=",".join(names()), help="which, separated by commas (default: %(default)s)")
    parser.add_argument("--quick", action="store_true", help="small inputs: a check that everything runs")
    parser.add_argument("--full", action="store_true", help="do all of a slow peer's work instead of scaling up a part")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every repetition to FILE")
    return parser.parse_args()


def measure(name: str, options: Options) -> tuple[list[Line], bool]:
    """Run one row, printing its lines as they come; a row that breaks is reported and does not stop the others."""
    lines = []
    try:
        for line in find(name)(options):
            print(row(line.cells()), flush=True)
            lines.append(line)
    except Exception:  # noqa: BLE001  whatever broke, the other rows are still worth their minutes
        print(f"row {name} broke:\n{traceback.format_exc()}", flush=True)
        return lines, False
    return lines, True


def main() -> int:
    """Measure, print, and say by the exit code whether all answers agree."""
    chosen = arguments()
    warnings.filterwarnings("ignore")  # the peers' deprecations are not ours to print
    options = Options(quick=chosen.quick, full=chosen.full)
    start, load = time.perf_counter(), os.getloadavg()[0]
    if load > 0.5:
        print(f"Other work shares the processors (load {load:.1f}): trust ratios more than times and limits.\n")
    print(row(tuple(COLUMNS)))
    print("-" * (sum(COLUMNS.values()) + 2 * (len(COLUMNS) - 1)))
    results = {name: measure(name, options) for name in chosen.rows.split(",")}
    lines = [line for measured, _ in results.values() for line in measured]
    print("\nMemory is the peak above imports and inputs. Notes:")
    for note in dict.fromkeys(line.note for line in lines if line.note):
        print(f"- {'; '.join(line.work for line in lines if line.note == note)}:\n    {note}")
    disagree = [line.work for line in lines if line.agreement is not None and not line.agreement.holds]
    broken = [name for name, (_, finished) in results.items() if not finished]
    verdicts = [line.verdict for line in lines]
    counted = ", ".join(f"{verdicts.count(word)} {word}" for word in dict.fromkeys(verdicts))
    print(f"\n{len(lines)} lines in {time.perf_counter() - start:.0f} s: {counted}.")
    if chosen.json is not None:
        record = {name: [line.record() for line in measured] for name, (measured, _) in results.items()}
        chosen.json.write_text(json.dumps(record, indent=1) + "\n")
    if disagree:
        print(f"Answers disagree: {'; '.join(disagree)}.")
    if broken:
        print(f"Rows that broke: {', '.join(broken)}.")
    return 1 if disagree or broken else 0


if __name__ == "__main__":
    sys.exit(main())
