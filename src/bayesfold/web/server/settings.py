"""What the server was told on the command line, in a form that its worker processes read too."""

import json
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Self

from bayesfold.web.server.limits import Limits

LOOPBACK = ("127.0.0.1", "::1", "localhost")
ENVIRONMENT = "BAYESFOLD_SERVE"
"""Where worker processes find their settings."""


@dataclass(frozen=True)
class Settings:
    """`paths` are model and network files, `tables` tables to learn; `hosts` are names under which the server may be
    asked besides its own; `token` is what a request has to know ("": nothing)."""

    paths: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    host: str = "127.0.0.1"
    port: int = 8420
    hosts: tuple[str, ...] = ()
    token: str = ""
    writable: bool = False
    workers: int = 1
    seconds_between_looks: float = 1.0
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        if not self.is_loopback and not self.token:
            raise ValueError(f"{self.host} is open to other machines, so requests need a token; give one")
        if self.workers > 1 and self.writable:
            raise ValueError("workers do not share what they learn: leave out --writable, or --workers")

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can ask."""
        return self.host in LOOPBACK

    @property
    def shares_memory(self) -> bool:
        """Whether one process answers everything, so that tables and models that are sent can be kept."""
        return self.workers == 1

    @cached_property
    def known_hosts(self) -> frozenset[str]:
        """The names that a request's Host may have, without a port."""
        own = LOOPBACK if self.is_loopback else (*LOOPBACK, self.host)
        return frozenset(name.lower() for name in (*own, *self.hosts) if name not in ("", "0.0.0.0", "::"))

    def to_json(self) -> str:
        """These settings as text."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Settings from that text.

        >>> Settings.from_json(Settings(("asia.bif",)).to_json()).paths
        ('asia.bif',)
        """
        fields = json.loads(text)
        lists = {name: tuple(fields[name]) for name in ("paths", "tables", "hosts")}
        return cls(**{**fields, **lists, "limits": Limits(**fields["limits"])})
