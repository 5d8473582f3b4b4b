"""A study for a laboratory with a platform of its own: jsPsych (a folder of web pages) or PCIbex (its project folders).

People are divided over lists, as on a Latin square: every list has one problem of each schema, and all lists together
have every problem equally often if all schemas have equally many. Keys are in files that must not be uploaded.
"""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from winoglot.errors import InputError, did_you_mean
from winoglot.files import as_csv
from winoglot.study.export import asked_text
from winoglot.study.storage import TEST, TRAINING, Problem
from winoglot.study.web.texts import texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.study.storage import Storage, Study

PLATFORMS = ("jspsych", "pcibex")
_COLUMNS = ["item", "group", "text", "question", "candidates"]  # of PCIbex

_IMPORT = """To compare a person with models, write a table with the columns `item_id` and `choice` (the candidate's
text, or its index in `collection.yaml` from 0; empty for “I can’t say”), then:

    winoglot runs import person-1.csv --collection collection.yaml --model person-1 -o people/person-1
"""

_JSPSYCH_PAGE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{name}</title>
<script src="jspsych/jspsych.js"></script>
<script src="jspsych/plugin-html-button-response.js"></script>
<link rel="stylesheet" href="jspsych/jspsych.css">
</head>
<body></body>
<script src="problems.js"></script>
<script src="experiment.js"></script>
</html>
"""
_JSPSYCH_SCRIPT = """// index.html?list=3 chooses a list; otherwise one is drawn.
const jsPsych = initJsPsych({on_finish: () => jsPsych.data.displayData("csv")});
const wanted = new URLSearchParams(location.search).get("list");
const list = wanted === null ? Math.floor(Math.random() * study.lists) : Number(wanted) % study.lists;

function escaped(text) {
  const box = document.createElement("div");
  box.textContent = text;
  return box.innerHTML;
}

function trial(problem, training) {
  const order = jsPsych.randomization.shuffle(problem.candidates.map((_, index) => index));
  const text = escaped(problem.before) + "<b>" + escaped(problem.pronoun) + "</b>" + escaped(problem.after);
  return {
    type: jsPsychHtmlButtonResponse,
    stimulus: "<p>" + text + "</p><p>" + escaped(problem.question || "") + "</p>",
    choices: [...order.map(index => escaped(problem.candidates[index])), ...study.texts.cannot_say.map(escaped)],
    data: {item: problem.item, training: training, list: list, order: order},
    on_finish: data => { data.choice = data.response < order.length ? order[data.response] : null; },
  };
}

function feedback(problem) {
  const answer = problem.candidates[problem.answer];
  return {
    type: jsPsychHtmlButtonResponse,
    stimulus: () => {
      const right = jsPsych.data.get().last(1).values()[0].choice === problem.answer;
      const said = right ? study.texts.right : study.texts.wrong.replace("%(answer)s", () => answer);
      return "<p><b>" + escaped(said) + "</b></p><p>" + escaped(problem.explanation) + "</p>";
    },
    choices: [escaped(study.texts.next)],
  };
}

const training = study.training.flatMap(problem => [trial(problem, true), feedback(problem)]);
const test = study.test.filter(problem => problem.lists.includes(list)).map(problem => trial(problem, false));
jsPsych.run([...training, ...jsPsych.randomization.shuffle(test)]);
"""
_PCIBEX_SCRIPT = """PennController.ResetPrefix(null);
Sequence("training", randomize("test"), SendResults(), "end");

// Each person sees the candidates in an order of their own; the results name the one that was chosen.
const shuffled = texts => texts.map(text => [Math.random(), text]).sort(([a], [b]) => a - b).map(([, text]) => text);
const feedback = row => [clear(), newText("feedback", row.feedback).print(), newButton("go on", {next}).print().wait()];
const problem = (label, row) =>
  newTrial(label,
    newText("text", row.text).print(),
    newText("question", row.question).print(),
    newScale("choice", ...shuffled(row.candidates.split(" | ")){cannot_say})
      .radio().vertical().labelsPosition("right").print().log(),
    newButton("next", {next}).print().wait(getScale("choice").test.selected()),
    ...(label === "training" ? feedback(row) : [])
  )
  .log("item", row.item)
  .log("group", row.group);

Template("training.csv", row => problem("training", row));
Template("test.csv", row => problem("test", row));

newTrial("end", newText("end", {thanks}).print(), newButton("wait", "").wait());
"""


def platform_files(storage: Storage, platform: str) -> dict[str, str | bytes]:
    """The files of a study for a platform, by their names in the folder."""
    if platform not in PLATFORMS:
        raise InputError(f"studies cannot be exported to {platform!r}", remedy=did_you_mean(platform, PLATFORMS))
    with storage.reading() as session:
        study = storage.study(session)
        problems = session.scalars(select(Problem).order_by(Problem.id)).all()
    files = _jspsych(study, problems) if platform == "jspsych" else _pcibex(study, problems)
    key = [{"item": problem.item_id, "answer": problem.answer} for problem in problems if problem.part == TEST]
    return {**files, "key.csv": as_csv(key, ["item", "answer"]), "collection.yaml": asked_text(storage)}


def lists(problems: Sequence[Problem]) -> dict[str, list[int]]:
    """The numbers of the lists that every test problem is on: each list has one problem of every schema."""
    by_schema: dict[str, list[str]] = {}
    for problem in problems:
        if problem.part == TEST:
            by_schema.setdefault(problem.schema_id, []).append(problem.item_id)
    number = max(map(len, by_schema.values()))
    on_lists: dict[str, list[int]] = {}
    for place, items in enumerate(by_schema.values()):
        for list_number in range(number):
            on_lists.setdefault(items[(list_number + place) % len(items)], []).append(list_number)
    return on_lists


def _jspsych(study: Study, problems: Sequence[Problem]) -> dict[str, str | bytes]:
    on_lists = lists(problems)
    say = texts(study.settings.page_language).gettext
    content: dict[str, Any] = {
        "lists": 1 + max(number for numbers in on_lists.values() for number in numbers),
        "texts": {
            "cannot_say": [] if study.settings.forced_choice else [say("I can’t say")],
            "right": say("✓ Correct"),
            "wrong": say("✗ Not quite: it is “%(answer)s”"),
            "next": say("Next"),
        },
        "training": [
            _problem_data(problem) | {"answer": problem.answer, "explanation": problem.explanation}
            for problem in problems
            if problem.part == TRAINING
        ],
        "test": [
            _problem_data(problem) | {"lists": on_lists[problem.item_id]}
            for problem in problems
            if problem.part == TEST
        ],
    }
    return {
        "index.html": _JSPSYCH_PAGE.format(language=study.language, name=escape(study.name)),
        "experiment.js": _JSPSYCH_SCRIPT,
        "problems.js": f"const study = {json.dumps(content, ensure_ascii=False, indent=1)};\n",
        "README.md": f"# {study.name} for jsPsych\n\n"
        "Put `jspsych.js`, `jspsych.css` and `plugin-html-button-response.js` (jsPsych 8) into the folder `jspsych/`, "
        "open `index.html` to try it, and connect `on_finish` in `experiment.js` with the place where your laboratory "
        "stores data. `key.csv` and `collection.yaml` have the answers: do not upload them.\n\n" + _IMPORT,
    }


def _problem_data(problem: Problem) -> dict[str, Any]:
    return {"item": problem.item_id, **problem.content}


def _pcibex(study: Study, problems: Sequence[Problem]) -> dict[str, str | bytes]:
    say = texts(study.settings.page_language).gettext
    words = {"next": "Next", "thanks": "Thank you. Your answers are saved."}
    cannot_say = "" if study.settings.forced_choice else f", {json.dumps(say('I can’t say'), ensure_ascii=False)}"
    script = _PCIBEX_SCRIPT.replace("{cannot_say}", cannot_say)
    for name, message in words.items():
        script = script.replace(f"{{{name}}}", json.dumps(say(message), ensure_ascii=False))
    on_lists = lists(problems)
    training = [_html_row(problem, "") | _feedback(problem) for problem in problems if problem.part == TRAINING]
    test = [
        _html_row(problem, number)
        for problem in problems
        if problem.part == TEST
        for number in on_lists[problem.item_id]
    ]
    return {
        "main.js": script,
        "training.csv": as_csv(training, [*_COLUMNS, "feedback"], exact=True),
        "test.csv": as_csv(test, _COLUMNS, exact=True),
        "README.md": f"# {study.name} for PCIbex\n\n"
        "In a new project of the PCIbex Farm, replace `main.js` under Scripts and upload `training.csv` and `test.csv` "
        "under Resources. The column `group` makes PCIbex give each person one list. `key.csv` and `collection.yaml` "
        "have the answers: do not upload them.\n\n" + _IMPORT,
    }


def _feedback(problem: Problem) -> dict[str, Any]:
    answer = escape(problem.content["candidates"][problem.answer])
    return {"feedback": f"<p><b>{answer}</b></p><p>{escape(problem.explanation)}</p>"}


def _html_row(problem: Problem, group: int | str) -> dict[str, Any]:
    """Text as HTML, which PCIbex expects: everything but the pronoun's mark is escaped."""
    content = problem.content
    before, pronoun, after = (escape(content[part]) for part in ("before", "pronoun", "after"))
    return {
        "item": problem.item_id,
        "group": group,
        "text": f"{before}<b>{pronoun}</b>{after}",
        "question": escape(content["question"] or ""),
        "candidates": " | ".join(escape(text) for text in content["candidates"]),
    }
