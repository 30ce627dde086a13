"""The names in the session of what is no setting, and in the workspace of what is kept there.

A setting has its own name as its key (`ui/settings/state.py`). A widget that nobody else reads
or writes may have a key of its own where it is drawn.
"""

# In the session: of every page.
WORKSPACE = "workspace"  # its id
PARTS = "parts"  # of the page that was drawn last, if it has any
PAINTED = "painted"  # whether this browser has painted a page once

# In the session: of the Playground.
INPUTS_OPEN = "inputs_open"  # whether the inputs stand beside a result
NEW_RUN = "new_run"  # from the start of a run until its views are first drawn
VIEW, VIEW_EMPTY = "view", "view_empty"  # of a run; of one that made no call
PLAN = "plan"  # the view of the plan that the inputs make now
BRANCH = "branch"  # the place of the run among its branches
EDITED_ANSWER = "edited_answer"  # the run and the call whose answer is edited
OPEN_CALL = "call"  # the number of the call that is open
CALLS_OPENED = "calls_opened"  # how often one was opened by other means than the table
OPEN_CHUNK = "covered chunk"  # the number of the chunk whose text the coverage shows
STEP = "step"  # the number of the step; in the address too
PLAYING, TICKED = "playing", "ticked"  # whether steps are played; when the last one began

# In the session: of the inputs.
EDITED_CHUNK = "open_chunk"  # the place of the chunk in the editor
CHUNK_TABLES = "chunk_tables_drawn"  # how often the table was drawn anew
UPLOADERS = "uploaders_drawn"  # how often the uploader was drawn anew
LISTED_MODELS, LIST_MESSAGE = "listed_models", "list_message"  # of an endpoint

# In the session: of Compare and What if.
COMPARE_EDITING = "compare_editing"  # whether the editors are open
COMPARE_VIEW = "compare_view"
COMPARE_QUESTION = "compare_question"  # the number of the question that is open, from 1
REFERENCE = "reference"  # the column that the others are compared with
DIFFERENT_ONLY = "different_only"
FOCUS = "focus"  # the mode in focus on What if

# In the workspace.
LAST_CHANGE = "last_change"  # of the chunks
PASTE = "paste"  # the latest text from outside
PASTE_OUTCOME = "paste_outcome"  # what is said of the latest text or files
SAVED_QUESTIONS = "questions"
TEMPLATE_SETS = "template_sets"
COLUMNS = "columns"
QUESTIONS, REPEATS = "compare_questions", "compare_repeats"
RATINGS = "compare_ratings"
PERSON = "person"  # the model of a run that a person answers
DISPLACED = "displaced_by_a_lesson"
LESSON = "lesson_location"
GUESSES, LESSONS_DONE = "guesses", "lessons_done"
