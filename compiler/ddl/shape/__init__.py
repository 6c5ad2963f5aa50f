"""What a CREATE TABLE means, and small changes to one."""
