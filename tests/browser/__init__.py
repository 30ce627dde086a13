"""Tests in Chromium, and none with an event loop of its own.

Playwright keeps one running in the thread from the first of them to the last.
"""
