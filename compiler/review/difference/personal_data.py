"""Names that look like personal data: a hint for reviewers, no proof in either direction."""

from __future__ import annotations

import re

_KINDS: tuple[tuple[str, str], ...] = (
    ("an e-mail address", r"e?mail|email_address"),
    ("a telephone number", r"phone|mobile|cell|fax|tel|msisdn"),
    (
        "a person's name",
        r"(first|last|middle|full|sur|maiden|given|family|contact|customer|user|display)_?name|surname",
    ),
    ("a postal address", r"address|addr|street|postcode|postal_?code|zip_?code|zip"),
    ("a date of birth", r"birth|birth_?da(y|te)|date_of_birth|dob"),
    (
        "an identity number",
        r"ssn|passport|national_?id|tax_?(id|no|number)|id_?card|social_security|driver_?licen[cs]e",
    ),
    ("payment data", r"iban|bic|card_?(no|number)|credit_?card|account_?(no|number)|cvc|cvv|pan"),
    ("a secret", r"passw(or)?d|passwd|pwd|secret|token|api_?key|salt|credential|otp|pin"),
    ("a place or a device", r"ip|ip_?addr(ess)?|lat(itude)?|lon(gitude)?|geo|device_?id|imei|user_?agent"),
    ("health or belief", r"diagnosis|religion|ethnicity|gender|sex|health|disability|blood_?type"),
)
_PATTERNS = tuple((kind, re.compile(rf"(?:^|_)(?:{pattern})(?:_|\d|$)")) for kind, pattern in _KINDS)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def looks_personal(column: str) -> str | None:
    """What kind of personal data the name suggests; None when it suggests none."""
    plain = _HUMP.sub("_", column).lower()
    return next((kind for kind, pattern in _PATTERNS if pattern.search(plain)), None)
