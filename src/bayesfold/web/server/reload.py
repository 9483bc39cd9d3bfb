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
        except OSError as error:  # it is gone, and may come back as it was
            note_failure(entry, metrics, error)
            continue
        if seen == entry.signature:
            continue
        try:
            fresh = read_again(entry, str(entry.path))
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one file, the others are looked at
            note_failure(entry, metrics, error)
            shelf.swap_if_still(entry, replace(entry, signature=seen), entry.version)
            continue
        if not shelf.swap_if_still(entry, fresh, entry.version + 1):
            continue  # a request has changed the model, and its file, meanwhile
        metrics.reloaded(entry.name)
        LOG.info("%s was read again", entry.name)
        done.append(entry.name)
    return done


def note_failure(entry: Entry, metrics: Metrics, error: Exception) -> None:
    """Tell that a model stays as it was."""
    metrics.reload_failed(entry.name)
    LOG.warning("%s stays as it was: %s", entry.name, error)


def read_again(entry: Entry, path: str) -> Entry:
    """The model that the file holds now, under the entry's own name."""
    return replace(read_entry(path), name=entry.name)


async def watch(shelf: Shelf, metrics: Metrics, seconds: float) -> None:
    """Look at the files from time to time, for as long as the server runs."""
    while True:
        await asyncio.sleep(seconds)
        await asyncio.to_thread(refresh, shelf, metrics)
