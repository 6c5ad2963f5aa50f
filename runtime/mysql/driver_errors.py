"""What the driver refuses by itself, before or instead of the server: it raises no error of its own classes then."""

from __future__ import annotations

from shardwright.runtime.failures import Refused

LOCAL_REFUSED = "Received LOAD_LOCAL packet"
_PACKAGES = {
    "pynacl": "install the package: pip install 'PyMySQL[ed25519]'",
}


def driver_refusal(error: RuntimeError, where: object) -> Refused:
    """The message for a driver's error at `where` that is none of MySQL's. Anything we do not know is raised again."""
    if LOCAL_REFUSED in str(error):  # hazard I4; it got nothing
        return Refused(
            "SW8104", f"{where} asked for a file of this machine's, which no statement of ours lets it: refused"
        )
    for package, way_out in _PACKAGES.items():
        if f"'{package}' package is required" in str(error):
            said = (
                f"the account's password cannot be sent to {where} by its way to log in without the package {package}"
            )
            return Refused("SW8106", f"{said}: {way_out}")
    raise error
