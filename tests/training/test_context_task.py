import numpy as np
import pytest
import torch

from corpus.corpus_making import build_small
from winoglot.errors import InputError
from winoglot.training.context2vec import make_module, make_task
from winoglot.training.distributed import SINGLE, Process
from winoglot.training.loop import TrainingSettings, train
from winoglot.training.recipes import find_recipe
from winoglot.training.trained import load_trained

CPU = TrainingSettings(device="cpu")
RECIPE = find_recipe("context2vec", ["embedding=6", "hidden=6", "batch=2", "sequence=8", "negatives=3"])


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return build_small(tmp_path_factory.mktemp("corpus"), min_count=1)


def task_of(corpus, process=SINGLE, recipe=RECIPE, seed=5):
    torch.manual_seed(1)
    return make_task(make_module(recipe, corpus.vocabulary), recipe, corpus, seed, process, torch.float32)


def test_a_plan_is_the_same_whenever_it_is_asked_for_and_another_in_another_epoch(corpus):
    first, again, other = (task_of(corpus).plan(epoch) for epoch in (3, 3, 4))
    assert [step.tolist() for step in first] == [step.tolist() for step in again]
    assert [step.tolist() for step in first] != [step.tolist() for step in other]
    assert sorted(np.concatenate(first).tolist()) == sorted(np.concatenate(other).tolist())


@pytest.mark.parametrize("processes", [2, 3])
def test_the_mean_of_several_processes_is_what_one_finds_with_a_larger_batch(corpus, processes):
    larger = find_recipe(
        "context2vec", [*("embedding=6", "hidden=6", "sequence=8", "negatives=3"), f"batch={2 * processes}"]
    )
    alone = task_of(corpus, recipe=larger)
    together = [task_of(corpus, Process(rank, processes)) for rank in range(processes)]
    for step in alone.plan(0):
        assert any(np.array_equal(step, other) for other in together[0].plan(0))
        outcomes = []
        for task in (alone, *together):
            torch.manual_seed(7)
            task.module.zero_grad()
            outcomes.append(task.train(step, ()))
            outcomes[-1].objective.backward()
        mean = np.mean([outcome.loss.item() for outcome in outcomes[1:]])
        assert outcomes[0].loss.item() == pytest.approx(mean, rel=1e-5)
        assert {outcome.tokens for outcome in outcomes} == {outcomes[0].tokens}
        for name, parameter in alone.module.named_parameters():
            others = [task.module.get_parameter(name).grad for task in together]
            torch.testing.assert_close(parameter.grad, sum(others) / processes, atol=1e-6, rtol=1e-4)


def test_validation_draws_the_same_words_each_time_and_leaves_the_generator_alone(corpus):
    task = task_of(corpus)
    torch.manual_seed(7)
    wanted = torch.rand(3)
    torch.manual_seed(7)
    first, again = task.validate(), task.validate()
    assert first == again
    assert torch.equal(torch.rand(3), wanted)
    assert first[1] == sum(article.size for article in corpus.split("valid").articles()) - unscored(corpus)


def test_a_corpus_without_text_to_check_with_is_refused(tmp_path):
    corpus = build_small(tmp_path, min_count=1, held_out=0)
    with pytest.raises(InputError, match="there is no validation text"):
        task_of(corpus)


def unscored(corpus):
    """Ends of sentences and unknown words; no sentence of the corpus has one word alone."""
    tokens = corpus.split("valid").tokens
    return int(((tokens == 0) | (tokens == 1)).sum())


def test_processes_share_the_validation_text(corpus):
    whole = task_of(
        corpus,
        recipe=find_recipe("context2vec", [*("embedding=6", "hidden=6", "sequence=8", "negatives=3"), "batch=4"]),
    )
    parts = [task_of(corpus, Process(rank, 2)).validate() for rank in (0, 1)]
    total, count = whole.validate()
    assert sum(part[1] for part in parts) == count
    assert sum(part[0] for part in parts) == pytest.approx(total, rel=1e-5)


def test_a_resumed_training_ends_as_an_undisturbed_one(corpus, tmp_path):
    small = ["embedding=6", "hidden=6", "batch=6", "sequence=8", "negatives=3", "rate=0.05"]
    ends = [train(find_recipe("context2vec", [*small, "epochs=3"]), corpus, tmp_path / "whole", CPU)]
    train(find_recipe("context2vec", [*small, "epochs=1"]), corpus, tmp_path / "parts", CPU)
    ends.append(train(find_recipe("context2vec", [*small, "epochs=3"]), corpus, tmp_path / "parts", CPU, resume=True))
    losses = ends[0].config["losses"]["checks"]
    assert losses == ends[1].config["losses"]["checks"]
    assert losses[0] > losses[1] > losses[2]
    one, other = (load_trained(tmp_path / name).module.state_dict() for name in ("whole", "parts"))
    assert all(torch.equal(one[name], other[name]) for name in one)
