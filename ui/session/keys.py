"""The keys of what is in the session and in the workspace and is no setting."""

# In the session, for every page.
WORKSPACE = "workspace"  # the id of the workspace
PAGE = "page"  # the title of the page that was drawn last
LEFT_DELETED = "left_deleted"  # whether this tab has just deleted its workspace
SEEN_SETTINGS = "seen_settings"  # as this tab shows them; None while the workspace has none
BEFORE_ANOTHER_TAB = "before_another_tab"  # the settings that another tab changed
NOT_STARTED = "not_started"  # whether a press did nothing, since another tab was faster
PARTS = "parts"  # the parts of the page that was drawn last
MODEL_OPEN = "model_menu"  # whether the popover of the model is open
SHARE_OPEN = "share"  # whether the popover that shares the workspace is open
CONTRACT_OPEN = "contract"  # whether the contract on prompts is open there
CONFIRMED_HOSTS = "confirmed_hosts"  # the origins that the person chose, to which text may go

# In the session, for the Playground.
INPUTS = "inputs_shown"  # which inputs are shown: chunks, templates or limits
OPENED = "opened"  # the id of the new workspace that the page opened on its kept run
SEEN_RUN = "seen_run"  # the run that the page was drawn with
RUNNING_VIEW = "running_view"  # the view of a run that goes on, of which there is one
NEW_RUN = "new_run"  # from the start of a run until its views are first drawn
PLAN_FIRST = "plan_first"  # the run whose answer stands back behind the plan of other inputs
LOOKED_AT = "looked_at"  # the inputs, other than those of the run, beside which its answer is shown
VIEW = "view"  # the view of a run
PLAN_VIEW = "plan_view"  # the view of the plan
BRANCH = "branch"  # the position of the run that is shown, among its branches
EDITED_ANSWER = "edited_answer"  # the run and the call whose answer is edited
LENS = "lens"  # the number of the first call under the lens
OPEN_CALL = "call"  # the number of the call that is open
OPEN_CHUNK = "covered chunk"  # the number of the chunk that Coverage shows
STEP = "step"  # the number of the step, which is in the address too
PLAYING, TICKED = "playing", "ticked"  # whether the steps play; when the latest began

# In the session, for the inputs.
EDITED_CHUNK = "open_chunk"  # the position of the chunk that is open in the list
OWN_TEXT = "own_text"  # whether the popover for own text is open
ASKS = "asks"  # when a question was last asked for: its box gets the focus
UPLOADERS = "uploaders_drawn"  # how many uploaders were drawn so far
VERSIONS_OPEN = "versions"  # whether the popover with other texts of the templates is open
ALL_MODES = "all_modes"  # whether all modes have a card
LISTED_MODELS = "listed_models"  # the names that a server listed

# In the session, for Compare.
COMPARE_VIEW = "compare_view"
RUNS_AGAIN = "runs_again"  # whether the button says that it asks anew
COLUMNS_BEFORE = "columns_before"  # those that others took the place of, in this tab
COMPARE_QUESTION = "compare_question"  # the number of the question that is open, from 1
SET_PROBLEM = "set_problem"  # why a set of questions was not taken

# In the session, for Runs.
TICKED_RUNS = "ticked_runs"  # the ids of the runs that are ticked in the list
RUNS_KIND = "runs_kind"  # the kind of runs that the list shows
RUNS_DRAWN = "runs_drawn"  # how many saved runs the list has at most
RUNS_DELETED = "runs_deleted"  # the ids of the runs that were deleted last
RUNS_PROBLEM = "runs_problem"  # what was refused, and why: a file or a change
RUNS_TO_COMPARE = "runs_to_compare"  # the saved runs that become the columns of Compare

# In the session, for Learn.
CLASS_BARS = "class_bars"  # the class whose bars were drawn last, and their lengths in per cent

# In the workspace.
SETTINGS = "settings"  # `ui.settings.schema.Settings`; without it all are at their defaults
CHANGES = "changes"  # the latest changes of the inputs, which can be undone
PASTE_OUTCOME = "paste_outcome"  # what the page says of the latest pasted or uploaded texts
PLANNED = "planned"  # the last request that had a plan
TEMPLATE_SETS = "template_sets"  # those that a person saved, by name
COLUMNS = "columns"
QUESTIONS, REPEATS = "compare_questions", "compare_repeats"
QUESTION_SET = "question_set"  # questions with what is expected of answers, as JSON lines
FACTS = "facts"  # what answers should hold: a text for each question
EXPECTED = "expected"  # what the answer of the Playground should have held
EXPECTED_OF = "expected_of"  # the question whose answer that is
RULINGS = "rulings"  # what models said of answers by rubrics, by a hash
RATINGS = "ratings"  # thumbs and notes, by the hash of question and answer
RECORDED = "recorded"  # the answers of the recorded run that was opened last
LESSON = "lesson_location"
CLASS = "class"  # the code of the class that was made here, whose answers only others give
GUESSES, LESSONS_DONE = "guesses", "lessons_done"
