"""Model files that are replaced while the server runs: the new model takes the old one's place, no request is lost."""

import asyncio
import logging
from dataclasses import replace

from bayesfold.web.server.metrics import Metrics
from bayesfold.web.server.shelf import Entry, Shelf, read_entry, signature

LOG = logging.getLogger("bayesfold.serve")


def refresh(shelf: Shelf, metrics: Metrics) -> list[str]:
    """Read the files that have changed; the names of the models that were replaced.

    A file that cannot be read (it is being written, or is damaged) leaves its model as it is, and is tried again when
    it changes again.
    """
    done = []
    for entry in shelf:
        if entry.path is None:
            continue
        try:
            seen = signature(entry.path)
            if seen == entry.signature:
                continue
            fresh = read_again(entry, str(entry.path))
        except (OSError, ValueError) as error:
            metrics.reload_failed(entry.name)
            LOG.warning("%s stays as it was: %s", entry.name, error)
            remember(shelf, entry)
            continue
        shelf.swap(fresh)
        metrics.reloaded(entry.name)
        LOG.info("%s was read again", entry.name)
        done.append(entry.name)
    return done


def read_again(entry: Entry, path: str) -> Entry:
    """The model that the file holds now, under the entry's own name."""
    return replace(read_entry(path), name=entry.name)


def remember(shelf: Shelf, entry: Entry) -> None:
    """Note how the file is now, so that it is not read again before it changes; a file that is gone is not noted."""
    assert entry.path is not None
    try:
        shelf.entries[entry.name] = replace(entry, signature=signature(entry.path))
    except OSError:
        return


async def watch(shelf: Shelf, metrics: Metrics, seconds: float) -> None:
    """Look at the files from time to time, for as long as the server runs."""
    while True:
        await asyncio.sleep(seconds)
        await asyncio.to_thread(refresh, shelf, metrics)
