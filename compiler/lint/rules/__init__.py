"""The lint rules, one file each; `registry` lists them."""
