"""A stream's address as it may be told: in messages, logs and what is kept, without what opens it."""

from __future__ import annotations

import re

HIDDEN = "…"
_ADDRESS = re.compile(r"(\W*[a-z][a-z0-9+.-]*:/+)?(.*)", re.IGNORECASE | re.DOTALL)
_WHICH = re.compile(r"[?&]((?:camera|cam|channel|ch|stream|subtype)=\d{1,3})(?=[&#]|\Z)", re.IGNORECASE)
_PLACE = re.compile(r"[^/?#&;=]*(/[^/?#&;=]*(?=[/?#]|\Z))*")

_HOST = re.compile(
    r"(?:[^/]*@)?(?:(?:\d{1,3}(?:\.\d{1,3}){3}|localhost|[\w.-]+\.local)(?::\d+)?"
    r"|[a-z][\w-]*(?:\.[\w-]+)+:\d{2,5}|[a-z][\w-]*:\d{4,5})(?=[/?#]|\Z)",
    re.IGNORECASE,
)


def lacks_scheme(text: str) -> bool:
    """Whether it begins as an address does after http://, as in 192.168.1.20:8080/video."""
    return _HOST.match(text) is not None


def without_secrets(text: str) -> str:
    """Scheme, host and port of an address, and its path as far as nothing in that is given a value.

    Not who may look, which ends at the last @, as FFmpeg reads it; nor a query: cameras take passwords there, and in a
    path such as /user=a&password=b. But which camera of a recorder it is, as in ?channel=2, is told. Where an @ may be
    of either, the host is not told. What is no address stays as it is, and so does what has been through here. A
    password that is a plain part of a path looks like any other.
    """
    found = _ADDRESS.fullmatch(text)
    assert found is not None
    scheme, rest = found.groups("")
    if not scheme and "://" not in rest and not -1 < rest.find(":") < rest.rfind("@") and not lacks_scheme(rest):
        return text
    who, _, place = rest.rpartition("@")
    if re.search(r"[?#]|/.*=", who, re.DOTALL):
        return scheme + HIDDEN
    kept = _PLACE.match(place)
    assert kept is not None
    which = "&".join(_WHICH.findall(place))
    return scheme + kept[0] + (f"?{which}" if which else "")
