"""The Learn page: lessons to predict, step through and reveal.

`place` is where somebody is, as the address says it; `here` keeps it and moves on, `progress`
keeps the guesses. `page` draws one of three stages: `predict`, `step`, `reveal`.
"""
