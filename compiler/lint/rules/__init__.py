"""The lint rules, a module a theme; `registry` lists them."""
