"""What other settings would change, and what is wrong with a template."""
