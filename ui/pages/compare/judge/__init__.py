"""The view Judge of Compare: a model that is asked about the answers, and a person who is too."""
