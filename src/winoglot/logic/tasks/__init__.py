"""One module a task; its name is the task's. A task offers

- `generate(rng: random.Random, settings: Settings) -> Iterator[Pair]`: pairs without end, at the level of formulas

Repaired families are made so that nothing but reasoning tells the label: the premise is drawn first; then what can be
seen of the hypothesis without the premise's structure (its form, how often and in which order its names occur), such
that every label is possible; then the label; then a hypothesis of that look and that label.
"""
