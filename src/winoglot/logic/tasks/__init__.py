"""One module per task, with the task's name. Each provides

- `generate(rng: random.Random, settings: Settings) -> Iterator[Pair]`: an endless stream of pairs, as formulas

Repaired families are built so that only reasoning reveals the label. The premise is drawn first; then the *look* of the
hypothesis, that is everything visible without the premise's structure (its form, how often and in which order its names
occur), such that every label is possible; then the label; then a hypothesis with that look and that label.
"""
