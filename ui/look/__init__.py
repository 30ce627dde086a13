"""How everything looks: colours, the stylesheet, escaped text, small pieces of a page."""
