"""Figures and plots of every kind that are hard to draw: long names, many scripts, intervals that leave the axis."""

from itertools import cycle, islice

from winoglot.report.figure import Axis, Cell, Figure, Group, Row, axis_of
from winoglot.report.plots import Line, Panel, Plot, learning_panel, spread_labels, training_panel
from winoglot.report.summary import Accuracy
from winoglot.statistics.calibration import ReliabilityBin
from winoglot.statistics.intervals import Estimate

MODELS = (
    "an-organisation/a-rather-long-name-of-a-model-7b-instruct-v0.2-GGUF-Q4_K_M",
    "causal:/srv/models/checkpoints/another-organisation/small_model_without_end",
    "大语言模型",
    "ものがたりを読むための大きな言語モデル・改訂版",
    "Очень-большая-языковая-модель-для-понимания-местоимений",
    "Sprachmodell mit grammatischen Lesarten und Vergleichsstichprobe",
    "gemma-3-270m",
    "نموذج لغوي",
    "averyveryveryverylongnamewithoutanysignatwhichalinecouldbebrokenanywhere",
    "<b>longer</b>",
)
COLUMNS = (
    "English",
    "中文（简体）",
    "Português do Brasil",
    "日本語のウィノグラード・スキーマ集",
    "Русский",
    "Deutsch: Winograd-Schemata aus dem Alltag",
    "Français",
    "Español",
    "Italiano",
    "a-collection-with-quite-a-long-name-de-de",
    "wsc273",
    "한국어",
)
KINDS = ("tense", "数の変化", "Geschlecht", "relative clause in the middle", "синонимы", "voice", "adverb")


def estimate(value, half=0.06, n=320):
    return Estimate(value, value - half, value + half, n, "BCa over 160 schemas")


def leaderboard(columns, name="accuracy"):
    """Groups with one axis; abstentions beyond it, few items, marks that no test shows to differ."""
    axis = Axis(0.4, 0.65, (0.4, 0.45, 0.5, 0.55, 0.6, 0.65), 0.5)

    def cell(row, column):
        value = 0.44 + 0.011 * ((3 * row + 5 * column) % 17)
        if row == 8:
            return Cell(Accuracy(0.08, 0.05, 0.11, 320, "BCa", 262), 0.5)
        if (row + column) % 11 == 10:
            return None
        half = 0.2 if row == 3 else 0.04
        return Cell(
            estimate(value, half, 12 if row == 5 else 320), 0.5, p=0.2, is_significant=row % 2 == 0, is_top=row < 2
        )

    roles = ("people", *["model"] * 7, "baseline", "baseline")
    rows = [
        Row((model, f"{at + 1}–{at + 4}"), tuple(cell(at, column) for column in range(len(columns))), role)
        for at, (model, role) in enumerate(zip(MODELS, roles, strict=True))
    ]
    groups = (
        Group(tuple(rows[:4]), "Clearly ahead of all baselines, in every collection that all ranked models share"),
    )
    groups += (Group(tuple(rows[4:]), "Others"),)
    return Figure(
        name, "Accuracy", "% of items right", ("Solver", "Rank"), tuple(columns), groups, axis, is_tested=True
    )


def perturbations(columns, name="perturbations"):
    """One model at a time, each group with an axis of its own; intervals of ±84 points."""
    groups = []
    for title in ("Accuracy", "German", "Stabilität über alle Formulierungen eines Schemas hinweg"):
        rows = tuple(
            Row(
                (kind,), tuple(Cell(estimate(0.05 * (at - 3), 0.84 if at == 2 else 0.03, 40), 0.0) for _ in columns), ""
            )
            for at, kind in enumerate(KINDS)
        )
        rows = tuple(Row(row.labels, row.cells, gloss=f"n = {40 * at + 3:,}") for at, row in enumerate(rows))
        groups.append(Group(rows, title, Axis(-0.4, 0.4, (-0.4, -0.2, 0.0, 0.2, 0.4), 0.0)))
    facets = tuple(MODELS[:2])
    unit = "points, variant minus original, with 95% interval"
    title = "Change of accuracy from the original wording to each kind of variant that was asked"
    return Figure(
        name,
        title,
        unit,
        ("Kind",),
        tuple(columns),
        tuple(groups),
        None,
        "points",
        facets,
        "Model",
        is_exploratory=True,
    )


def readings(columns, name="readings"):
    """Notes beside the drawings, four columns of labels, values without a scale."""
    rows = tuple(
        Row(
            (model, scoring, "grammatical", "3, 1 failed"),
            tuple(Cell(estimate(12.5 * at, 9.0), 0.0, "p = 0.0312") for _ in columns),
            "model",
        )
        for at, model in enumerate(MODELS[:4])
        for scoring in ("partial", "full")
    )
    headings = ("Solver", "Scoring", "Readings", "Seeds")
    axis = axis_of(rows, "plain")
    return Figure(name, "Grammatical minus naive", "values", headings, tuple(columns), (Group(rows),), axis, "plain")


def figures():
    """Each with one column and with twelve."""
    several = ((COLUMNS[3:4], "one"), (COLUMNS[:5], "five"), (COLUMNS, "twelve"))
    return [
        make(columns, f"{make.__name__}-{ending}")
        for columns, ending in several
        for make in (leaderboard, perturbations, readings)
    ]


def plots():
    """One of each kind."""
    shares = {"right": 0.41, "same": 0.06, "changed": 0.02, "silent": 0.51}
    stacks = [Panel(name, name, {"shares": shares, "is_coin": False}) for name in COLUMNS[:6]]
    key = dict(
        zip(shares, ("all items right", "same choice in all items", "other", "abstained on an item"), strict=True)
    )
    slopes = [Panel(f"{model}, partial scoring", model, _slope()) for model in MODELS[:3]]
    bins = [ReliabilityBin(0.0, 1.0, 0.5 + at / 12, estimate(0.5 + at / 14, 0.1)) for at in range(6)]
    squares = [Panel(name, name, {"bins": bins}) for name in COLUMNS[:6]]
    counts = list(islice(cycle((1, 4, 9, 0)), 18))
    histograms = [Panel(name, name, {"counts": counts, "limit": 12.5}) for name in COLUMNS[:5]]
    log = [{"tokens": 1_000_000 * at, "loss": 9 - at / 10, "valid_loss": 9.1 - at / 11} for at in range(1, 50)]
    sizes = (100, 120, 150, 1000, 12_000)
    lines = {
        f"{model}, {at}": Line(f"line{at}", [(size, estimate(0.5 + place / 12)) for place, size in enumerate(sizes)])
        for at, model in enumerate(MODELS[:3])
    }
    learning = [learning_panel(f"{name}: accuracy", lines, sizes, estimate(0.5), 0.5) for name in COLUMNS[3:6]]
    about = "% of schemas with two items; gemma-3-270m, partial scoring, naive readings"
    return [
        Plot("choices", "stack", "Choices within a schema", about, tuple(stacks), key=key),
        Plot("styles", "slope", "Accuracy by kind of reading", "%", tuple(slopes)),
        Plot("calibration", "square", "Accuracy by confidence", f"groups; {MODELS[0]}", tuple(squares)),
        Plot("margins", "histogram", "Score of the answer minus that of the other", MODELS[1], tuple(histograms)),
        Plot("training", "curve", "Training", "loss in nats", tuple(training_panel(log, name) for name in MODELS[:2])),
        Plot("curves", "learning", "Learning curves", "%, with 95% interval", tuple(learning)),
    ]


def _slope():
    left = [10.0, 12.0, 13.0, 60.0, 90.0]
    right = [100 - place for place in left]
    labels = zip(left, right, spread_labels(left), spread_labels(right), COLUMNS[1:6], strict=True)
    lines = [{"y": (y1, y2), "left": (at, "48.1"), "right": (to, f"51.3 {name}")} for y1, y2, at, to, name in labels]
    return {"lines": lines, "chance": 50.0}
