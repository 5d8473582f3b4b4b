"""Local instruction models: their template, their replies, against plain calls of the library."""

import re

import pytest
import torch
import transformers

from model_questions import plain, question, questions
from tiny_models import byte_pieces, llama
from winoglot import InputError
from winoglot.models import chat
from winoglot.models.base import Options
from winoglot.models.chat import TOO_LONG, Generator
from winoglot.models.servers.asking import Asking, ChatRequest
from winoglot.models.servers.prompts import prompts_for

TEMPLATE = (
    "{% for m in messages %}<|{{ m['role'] }}|>{{ m['content'] }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
THINKING = TEMPLATE.replace("<|assistant|>{% endif %}", "<|assistant|><think>\n{% endif %}")
SPECIAL = {"bos": "<s>", "eos": "</s>", "unk": "<unk>", "pad": "<pad>"}
pytestmark = pytest.mark.usefixtures("one_thread")

LAMPS = [
    question("The lamp hit the vase and {it} broke.", ["the lamp", "the vase"]),
    question("Rosa waved to Lena until {she} left.", ["Rosa", "Lena"]),
]
ANSWERS = [1, 0]


def made(folder, template=TEMPLATE, **config):
    texts = [*plain(), *(message["content"] for one in LAMPS for message in asked(one))]
    tokenizer = byte_pieces(texts, 600, special=SPECIAL)
    tokenizer.chat_template = template
    return llama(folder, [], tokenizer=tokenizer, **{"max_position_embeddings": 2048, **config})


def asked(one, order=(0, 1), language="en"):
    prompts = prompts_for(language)
    return prompts.messages(prompts.templates["refer"], one, order)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return made(tmp_path_factory.mktemp("chat"))


@pytest.fixture(scope="module")
def loaded(folder):
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    return transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval(), tokenizer


def load(folder, **more):
    return chat.load(str(folder), Options(more={name.replace("_", "-"): value for name, value in more.items()}))


def written(loaded, text, room):
    """What the model writes after a text, the likeliest token each time, by a loop."""
    model, tokenizer = loaded
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    new = []
    while len(new) < room and tokenizer.eos_token_id not in new:
        with torch.no_grad():
            new.append(int(model(torch.tensor([ids + new])).logits[0, -1].argmax()))
    return tokenizer.decode([token for token in new if token != tokenizer.eos_token_id]), new


def test_replies_equal_a_loop_over_plain_calls_whatever_the_batch(loaded):
    requests = [ChatRequest(asked(one, language=one.language), 0) for one in [*questions(), *LAMPS]]
    for batch_tokens in (1, 10_000):
        replies = Generator(*loaded, Asking(answer_tokens=8), batch_tokens).replies(requests)
        for request, reply in zip(requests, replies, strict=True):
            text, tokens = written(loaded, f"<|user|>{request.messages[0]['content']}</s><|assistant|>", 8)
            assert (reply.text, reply.cut_off) == (text, loaded[1].eos_token_id not in tokens)


def test_a_model_that_has_learnt_the_answers_gives_them(folder, loaded, tmp_path):
    torch.manual_seed(0)
    model, tokenizer = type(loaded[0])(loaded[0].config), loaded[1]
    rows = []
    for one, answer in zip(LAMPS, ANSWERS, strict=True):
        for order in ((0, 1), (1, 0)):
            prompt = tokenizer.apply_chat_template(asked(one, order), tokenize=False, add_generation_prompt=True)
            label = "AB"[order.index(answer)]
            rows.append(tokenizer(f"{prompt}{label}</s>", add_special_tokens=False, return_tensors="pt")["input_ids"])

    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for _ in range(60):
        losses = [torch.nn.functional.cross_entropy(model(row).logits[0, -3:-1], row[0, -2:]) for row in rows]
        optimizer.zero_grad()
        sum(losses).backward()
        optimizer.step()
    model.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    found = [scores["answer"] for scores in load(tmp_path).score(LAMPS, ["answer"])]
    assert [scores.choice(1e-6) for scores in found] == ANSWERS
    assert [scores.values for scores in found] == [(0.0, 1.0), (1.0, 0.0)]


def test_sampled_replies_follow_their_seed(loaded):
    requests = [ChatRequest(asked(LAMPS[0]), seed) for seed in (0, 1, 0, 2)]
    asking = Asking(answer_tokens=12, temperature=1.0, samples=2)
    texts = [reply.text for reply in Generator(*loaded, asking, 10_000).replies(requests)]
    assert texts[0] == texts[2]
    assert len(set(texts)) == 3
    torch.manual_seed(7)
    before = torch.random.get_rng_state()
    Generator(*loaded, asking, 10_000).replies(requests)
    assert torch.equal(before, torch.random.get_rng_state())


def test_thoughts_past_their_budget_are_ended_for_the_model(loaded):
    model, tokenizer = loaded
    thoughtful = transformers.AutoTokenizer.from_pretrained(tokenizer.name_or_path)
    thoughtful.chat_template = THINKING
    (reply,) = Generator(model, thoughtful, Asking(thinking=6, answer_tokens=5), 4096).replies(
        [ChatRequest(asked(LAMPS[0]), 0)]
    )
    prompt = f"<|user|>{asked(LAMPS[0])[0]['content']}</s><|assistant|><think>\n"
    thoughts, _ = written(loaded, prompt, 6)
    expected, tokens = written(loaded, f"{prompt}{thoughts}\n</think>\n\n", 5)
    assert (reply.text, reply.cut_off) == (expected, len(tokens) == 5 and tokenizer.eos_token_id not in tokens)


def test_the_template_is_told_whether_to_think(loaded):
    model, tokenizer = loaded
    switching = transformers.AutoTokenizer.from_pretrained(tokenizer.name_or_path)
    switching.chat_template = TEMPLATE + "{% if enable_thinking %}<|thinks|>{% endif %}"
    for budget, thinks in ((0, False), (5, True)):
        rendered = Generator(model, switching, Asking(thinking=budget), 4096)._render(asked(LAMPS[0]))
        assert rendered.endswith("<|thinks|>") is thinks


def test_what_can_change_an_answer_is_in_the_settings(folder, tmp_path):
    usual, sampled = load(folder), load(folder, temperature="0.5", samples="2", shots="2", thinking="64")
    assert usual.settings.keys() == {"precision", "template", "prompts"}
    assert {"temperature", "samples", "shots", "thinking", "sampling-seed"} <= sampled.settings.keys()
    other = made(tmp_path, template=TEMPLATE + " ")
    assert load(other).settings["template"] != usual.settings["template"]
    assert usual.settings_for("answer", "pt") != usual.settings_for("answer", "en")
    assert all(re.fullmatch(r"sha:[0-9a-f]{8}", str(usual.settings[name])) for name in ("prompts", "template"))


def test_what_cannot_be_asked_abstains_with_a_reason(folder, tmp_path):
    found = load(folder, answer_tokens="4").score(questions(), ["answer", "answer-fill"])  # nothing has been learnt
    assert all(scores.values == (None, None) and scores.note for one in found for scores in one.values())
    short = load(made(tmp_path, max_position_embeddings=64), answer_tokens="4")
    assert short.score(LAMPS[:1], ["answer"])[0]["answer"].note == TOO_LONG
    dutch = question("De kruik raakte de vaas, en {ze} brak.", ["de kruik", "de vaas"], "nl")
    with pytest.raises(InputError, match="prompt-language=en"):
        load(folder).score([dutch], ["answer"])
    assert load(folder, prompt_language="en", answer_tokens="4").score([dutch], ["answer"])[0]["answer"].note


def test_what_is_no_instruction_model_is_an_input_error(tmp_path, folder):
    bare = llama(tmp_path / "bare", plain())
    refusing = made(tmp_path / "refusing", template="{{ raise_exception('roles must alternate') }}")
    for model, options, message in (
        (bare, Options(), f"no chat template.*causal:{bare}"),
        (refusing, Options(), "roles must alternate"),
        (folder, Options(precision="int8"), "int8"),
        (folder, Options(more={"shot": "1"}), "Did you mean 'shots'"),
        ("", Options(), "no model is named after the colon"),
    ):
        with pytest.raises(InputError, match=message):
            chat.load(str(model), options).score(LAMPS, ["answer"])
    with pytest.raises(InputError, match=r"4 examples in .. to show, not 5"):  # before anything is loaded
        chat.check(str(tmp_path / "nothing"), Options(more={"shots": "5"}))


def test_examples_of_evaluated_schemas_give_way_and_the_settings_name_those_shown_instead(folder):
    kettle, umbrella, nail, _ = prompts_for("en").examples
    solver = load(folder, shots="2", answer_tokens="4")
    facing = solver.for_collection([kettle.item, LAMPS[0].item], "en")
    assert "examples" not in solver.for_collection([LAMPS[0].item], "en").settings
    for settings in (facing.settings, facing.settings_for("answer-fill", "en")):
        assert settings["examples"] == "example-umbrella, example-nail"  # so scores of others are not taken for these
    assert facing.score([LAMPS[0]], ["answer"])[0]["answer"].note
    with pytest.raises(InputError, match="1 examples in en to show, not 2"):
        solver.for_collection([kettle.item, umbrella.item, nail.item], "en")
