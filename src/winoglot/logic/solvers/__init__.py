"""Models for pairs: small networks that learn them, and language models that are asked or fine-tuned.

data        which pairs to learn from and to ask
encoding    pairs as numbers
networks    small networks, by their recipes
recipes     the settings of these
learning    training them on the loop of `winoglot.training`
bag         bags of words, and the baselines of `winoglot logic check`
tuning      fine-tuning other models with the code of `winoglot.finetune`
search      trying settings
questions   pairs as the questions of a session, for every kind of model
family      the family `logic:DIR` of trained models
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from winoglot.errors import InputError, did_you_mean
from winoglot.training import Trained, need_training

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from winoglot.logic.solvers.data import PairChoice
    from winoglot.models.base import Options
    from winoglot.runs.run import Runs
    from winoglot.runs.session import BeforeSending, Session


def train(
    model: str,
    data: str | Path,
    folder: str | Path,
    *,
    validation: str | Path | None = None,
    tasks: Sequence[str] = (),
    languages: Sequence[str] = (),
    depths: Sequence[int] = (),
    size: int | None = None,
    balanced: bool = False,
    as_cd: bool = False,
    control: str | None = None,
    start: str | Path | None = None,
    lora: bool = False,
    seed: int = 0,
    settings: Iterable[str] = (),
    precision: str = "auto",
    device: str = "auto",
    max_minutes: float = inf,
    checkpoint_minutes: float = 10.0,
    checkpoint_epochs: bool = True,
    log_every: int = 50,
    resume: bool = False,
    force: bool = False,
    progress: Callable[[int, int, int, float | None], object] | None = None,
    note: Callable[[str], object] = lambda _text: None,
) -> Trained:
    """Train a model on the pairs of a data set, and write it into a folder.

    `model` is a family (bag, rnn, gru, lstm, birnn, bigru, bilstm, transformer) or a model to fine-tune (causal:…,
    masked:…, nli:…, gemma-3-270m), with `lora` by an adapter alone. `data` is a folder that `winoglot logic generate`
    wrote, from which tasks, languages and depths may be chosen, or a file, with another for `validation`. `size` is the
    number of training pairs of each task and language; `balanced` samples as many of each label, `as_cd` turns three
    labels into contradiction (1) or not (0); `control` is shuffled-labels, premise-only or hypothesis-only;
    `start` is the folder of a trained context2vec or transformer, or a file of word vectors. Validation pairs decide
    when to stop and what to keep; `settings` change the recipe: `["hidden=64", "tokens=bytes"]`.
    """
    from pathlib import Path

    from winoglot.finetune import need_finetuning
    from winoglot.logic.solvers.data import PairChoice
    from winoglot.logic.solvers.recipes import RECIPES

    is_own = model in RECIPES
    need_training() if is_own else need_finetuning(lora=lora)
    from winoglot.logic.solvers.learning import gather, learn
    from winoglot.training.loop import TrainingSettings

    if start is not None and (not is_own or model == "bag"):
        raise InputError(f"{model} cannot start from another model", remedy="Leave out --start.")
    if lora and is_own:
        raise InputError(f"{model} is trained as a whole", remedy="Leave out --lora.")
    output, choice = Path(folder), PairChoice(tuple(tasks), tuple(languages), tuple(depths), size, balanced, as_cd)
    pairs = gather(
        Path(data), choice, control=control or "", seed=seed, validation=Path(validation) if validation else None
    )
    if model == "bag":
        from winoglot.logic.solvers.bag import fit_bag
        from winoglot.logic.solvers.learning import PairFolder
        from winoglot.logic.solvers.recipes import find_pair_recipe

        if resume and not force:
            PairFolder(output).check_unfinished()
        config = fit_bag(find_pair_recipe(model, settings), pairs, output, seed, force=force)
        return Trained(f"logic:{output}", "epochs", 0, config)
    training_settings = TrainingSettings(
        seed, precision, device, max_minutes, checkpoint_minutes, log_every, checkpoint_epochs=checkpoint_epochs
    )
    if is_own:
        origin = Path(start) if start is not None else None
        result = learn(
            model,
            pairs,
            output,
            training_settings,
            changes=settings,
            start=origin,
            resume=resume,
            force=force,
            progress=progress,
        )
    else:
        from winoglot.logic.solvers.tuning import tune_pairs

        result = tune_pairs(
            model,
            pairs,
            output,
            training_settings,
            lora=lora,
            changes=settings,
            resume=resume,
            force=force,
            progress=progress,
            note=note,
        )
    family = "logic" if is_own else result.config.get("family", "")
    address = "" if result.why == "signal" else f"{family}:{output}"
    return Trained(address, result.why, result.state.step, result.config)


def evaluate(
    models: str | Sequence[str],
    data: str | Path,
    *,
    split: str = "test",
    tasks: Sequence[str] = (),
    languages: Sequence[str] = (),
    depths: Sequence[int] = (),
    limit: int | None = None,
    balanced: bool = False,
    as_cd: bool = False,
    scoring: str | None = None,
    folder: str | Path | None = None,
    options: Options | None = None,
    begin: Callable[[str], Callable[[int, int], None]] = lambda _name: lambda _done, _total: None,
    before_sending: BeforeSending | None = None,
) -> Runs:
    """Ask models about pairs: one run per model, task and language, stored in `folder` if one is given.

    A model is `logic:DIR`, one that `train` made, or any model of `winoglot evaluate`; `NAME=…` gives it another
    name. `limit` samples that many pairs per file, twins together; `balanced` and `as_cd` are those of `train`. The
    same call continues what was interrupted.
    `before_sending` is that of `wg.evaluate`.
    """
    from winoglot.logic.solvers.data import PairChoice

    choice = PairChoice(tuple(tasks), tuple(languages), tuple(depths), limit, balanced, as_cd)
    return pair_session(models, data, split, choice, scoring, folder, options, before_sending).runs(begin)


def pair_session(
    models: str | Sequence[str],
    data: str | Path,
    split: str,
    choice: PairChoice,
    scoring: str | None = None,
    folder: str | Path | None = None,
    options: Options | None = None,
    before_sending: BeforeSending | None = None,
) -> Session:
    """A session that asks models about chosen pairs."""
    from pathlib import Path

    from winoglot.logic.solvers.data import SPLITS, chosen_pairs
    from winoglot.logic.solvers.questions import PairSource
    from winoglot.models.base import Options
    from winoglot.runs.session import Session, log_requests, places_in
    from winoglot.runs.spec import ModelSpec, RunSpec

    if split not in SPLITS:
        raise InputError(f"a data set has no split {split!r}", remedy=did_you_mean(split, SPLITS))
    model_names = [models] if isinstance(models, str) else dict.fromkeys(models)
    spec = RunSpec.checked(
        sources=tuple(PairSource(pairs) for pairs in chosen_pairs(Path(data), split, choice)),
        models=tuple(ModelSpec.of(model, options or Options()) for model in model_names),
        scorings=scoring,
    )
    return Session(spec, places_in(Path(folder) if folder else None), before_sending or log_requests)
