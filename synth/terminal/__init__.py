"""The command `synth`: plans and recordings in a terminal, and the pages of the app.

docs/terminal.md shows each command with what it prints.
"""
