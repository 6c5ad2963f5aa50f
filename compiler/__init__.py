"""Spec to plan: small passes from one immutable value to the next. Pure, offline, deterministic."""
