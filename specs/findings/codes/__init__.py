"""Every diagnostic code with its title and explanation. One module a topic; `registry` has them all."""
