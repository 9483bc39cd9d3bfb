"""Every question that can be asked, one file per subject; a subject's `ENDPOINTS` are its addresses."""

from bayesfold.web.server.api import (
    answers,
    downloads,
    editing,
    jobs,
    judging,
    models,
    networks,
    reasons,
    separation,
    service,
    structures,
    tables,
    updating,
)

SUBJECTS = (
    *(answers, reasons, networks, separation),
    *(models, tables, jobs, structures, judging, updating, editing, downloads, service),
)
"""Addresses are tried in this order, so those that are asked most often come first."""
ENDPOINTS = tuple(endpoint for subject in SUBJECTS for endpoint in subject.ENDPOINTS)
