"""The questions that a study asks about a problem; a question type is one class.

- `base.py`: `QuestionType`, which says how a question is shown, read, checked, stored, exported and summarised
- `choice.py`: who or what the pronoun refers to, in training and test, in the second look, and asked of experts
- `remarks.py`: whether something is wrong with the text
- `confidence.py`: how sure the person is; a study asks it if its settings name it
- `table.py`: which questions a study asks in which part

To add a question, write a module with a `QuestionType` in its `PLUGINS` and add its name to the table in `registry.py`,
or announce it from another package as an entry point of the group `winoglot.study.questions`. A study asks it if its
settings name it (`winoglot study create --questions NAME`). Pages, database, exports and results then include it.
"""
