"""A small collection, and readers who answer it."""

import json
from pathlib import Path

import winoglot as wg
from winoglot.writing.blind import blind_check

TEXT = (Path(__file__).parent / "small.yaml").read_text(encoding="utf-8")


def small(folder, text=TEXT):
    path = folder / "small.yaml"
    path.write_text(text, encoding="utf-8")
    return wg.load(path)


def answered(collection, reader, *, wrong=(), seed=0, **more):
    """Lines of a reader who knows the answers, but for the items named as wrong; `more` are keys by item id."""
    lines = []
    keyed = {key: item for item in collection.items for key in _keys(collection, item)}
    for question in blind_check(collection, seed=seed).questions:
        item = keyed[question.id]
        right = item.candidates[item.answer].text
        choice = question.answers.index(right)
        line = {"id": question.id, "reader": reader, "choice": 1 - choice if item.id in wrong else choice}
        lines.append(line | more.get(item.id, {}))
    return lines


def _keys(collection, item):
    from winoglot.study.judgements import question_id

    return [question_id(collection, item, order) for order in ((0, 1), (1, 0))]


def write(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path
