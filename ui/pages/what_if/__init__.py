"""The page "What if": what every mode would do at other values of one setting."""
