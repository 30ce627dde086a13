"""The look of the pages: colours, the stylesheet, escaped text, small elements."""
